(function (random) {
  "use strict";
  return Object.freeze({
    randomUUID() {
      const bytes = random(16);
      bytes[6] = bytes[6] & 0x0f | 0x40;
      bytes[8] = bytes[8] & 0x3f | 0x80;
      const hex = bytes.map(byte => byte.toString(16).padStart(2, "0")).join("");
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
        .join("-");
    },
    getRandomValues(array) {
      if (!ArrayBuffer.isView(array)) throw new TypeError("getRandomValues: a typed array is needed");
      if (array.byteLength > 65536) throw new RangeError("getRandomValues: at most 65536 bytes");
      const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      view.set(random(view.length));
      return array;
    },
  });
})
