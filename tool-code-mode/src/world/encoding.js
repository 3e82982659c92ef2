(function () {
  "use strict";
  class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(text = "") {
      const bytes = [];
      for (const char of String(text).toWellFormed()) {
        const c = char.codePointAt(0);
        if (c < 0x80) bytes.push(c);
        else if (c < 0x800) bytes.push(0xc0 | c >> 6, 0x80 | c & 63);
        else if (c < 0x10000) bytes.push(0xe0 | c >> 12, 0x80 | c >> 6 & 63, 0x80 | c & 63);
        else bytes.push(0xf0 | c >> 18, 0x80 | c >> 12 & 63, 0x80 | c >> 6 & 63, 0x80 | c & 63);
      }
      return Uint8Array.from(bytes);
    }
  }
  class TextDecoder {
    #fatal;
    #keepMark;
    constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
      if (!/^(utf-?8|unicode-1-1-utf-8)$/i.test(String(label).trim())) {
        throw new RangeError(`TextDecoder: only utf-8 is known here, not "${label}"`);
      }
      this.#fatal = Boolean(fatal);
      this.#keepMark = Boolean(ignoreBOM);
    }
    get encoding() { return "utf-8"; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#keepMark; }
    decode(input = new Uint8Array(0)) {
      const bytes = input instanceof ArrayBuffer
        ? new Uint8Array(input)
        : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
      const parts = [];
      let at = 0;
      while (at < bytes.length) {
        const first = bytes[at++];
        let need = 0, low = 0x80, high = 0xbf, code = first;
        if (first >= 0xc2 && first <= 0xdf) { need = 1; code = first & 31; }
        else if (first >= 0xe0 && first <= 0xef) {
          need = 2; code = first & 15;
          if (first === 0xe0) low = 0xa0;
          if (first === 0xed) high = 0x9f;
        } else if (first >= 0xf0 && first <= 0xf4) {
          need = 3; code = first & 7;
          if (first === 0xf0) low = 0x90;
          if (first === 0xf4) high = 0x8f;
        } else if (first >= 0x80) code = -1;
        for (; need > 0; need--) {
          const next = bytes[at];
          if (next === undefined || next < low || next > high) { code = -1; break; }
          code = code << 6 | next & 63;
          low = 0x80; high = 0xbf;
          at++;
        }
        if (code < 0) {
          if (this.#fatal) throw new TypeError("TextDecoder: the bytes are not utf-8");
          code = 0xfffd;
        }
        parts.push(String.fromCodePoint(code));
      }
      if (parts[0] === "\ufeff" && !this.#keepMark) parts.shift();
      return parts.join("");
    }
  }
  return { TextEncoder, TextDecoder };
})()
