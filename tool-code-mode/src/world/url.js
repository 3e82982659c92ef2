(function () {
  "use strict";
  const PORTS = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21", "file:": "" };
  const isSpecial = scheme => Object.hasOwn(PORTS, scheme);
  const utf8 = char => [...new TextEncoder().encode(char)];
  const escaped = char => utf8(char).map(b => "%" + b.toString(16).toUpperCase().padStart(2, "0")).join("");
  const encode = (text, unsafe) =>
    [...text].map(c => c < "!" || c > "~" || unsafe.includes(c) ? escaped(c) : c).join("");
  const PATH = "\"#<>?`{}^", QUERY = "\"#<>'", FRAGMENT = "\"<>`", USER = "\"#<>?`{}/:;=@[\\]^|";
  const fail = text => { throw new TypeError(`invalid URL: ${JSON.stringify(text)}`); };

  class URLSearchParams {
    #pairs = [];
    #changed = () => {};
    constructor(init = "", changed) {
      if (changed) this.#changed = changed;
      if (typeof init === "string") this.#pairs = parsePairs(init.replace(/^\?/, ""));
      else if (typeof init?.[Symbol.iterator] === "function") {
        for (const [key, value] of init) this.#pairs.push([String(key), String(value)]);
      } else for (const key of Object.keys(init ?? {})) this.#pairs.push([key, String(init[key])]);
    }
    get size() { return this.#pairs.length; }
    append(key, value) { this.#pairs.push([String(key), String(value)]); this.#changed(); }
    delete(key, value) {
      this.#pairs = this.#pairs.filter(p => p[0] !== String(key) || value !== undefined && p[1] !== String(value));
      this.#changed();
    }
    get(key) { return this.#pairs.find(p => p[0] === String(key))?.[1] ?? null; }
    getAll(key) { return this.#pairs.filter(p => p[0] === String(key)).map(p => p[1]); }
    has(key, value) {
      return this.#pairs.some(p => p[0] === String(key) && (value === undefined || p[1] === String(value)));
    }
    set(key, value) {
      const first = this.#pairs.find(p => p[0] === String(key));
      if (!first) this.#pairs.push([String(key), String(value)]);
      else {
        first[1] = String(value);
        this.#pairs = this.#pairs.filter(p => p === first || p[0] !== String(key));
      }
      this.#changed();
    }
    sort() { this.#pairs.sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0); this.#changed(); }
    forEach(each, self) { for (const [key, value] of this) each.call(self, value, key, this); }
    *entries() { for (const pair of this.#pairs) yield [...pair]; }
    *keys() { for (const pair of this.#pairs) yield pair[0]; }
    *values() { for (const pair of this.#pairs) yield pair[1]; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.#pairs.map(p => p.map(formEncode).join("=")).join("&"); }
  }
  const formEncode = text =>
    [...text.toWellFormed()].map(c => c === " " ? "+" : /[A-Za-z0-9*\-._]/.test(c) ? c : escaped(c)).join("");
  function formDecode(text) {
    const bytes = [];
    text = text.replaceAll("+", " ");
    for (let i = 0; i < text.length;) {
      const hex = /^%([0-9a-fA-F]{2})/.exec(text.slice(i, i + 3));
      if (hex) { bytes.push(parseInt(hex[1], 16)); i += 3; continue; }
      const char = String.fromCodePoint(text.codePointAt(i));
      bytes.push(...utf8(char));
      i += char.length;
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
  function parsePairs(text) {
    return text.split("&").filter(Boolean).map(part => {
      const at = part.indexOf("=");
      return at < 0 ? [formDecode(part), ""] : [formDecode(part.slice(0, at)), formDecode(part.slice(at + 1))];
    });
  }

  function parseHost(text, special, whole) {
    if (text.startsWith("[")) {
      if (!/^\[[0-9a-f:.]+\]$/i.test(text)) fail(whole);
      return text.toLowerCase();
    }
    if (!special) {
      if (/[\s#/:<>?@[\\\]^|]/.test(text)) fail(whole);
      return encode(text, "");
    }
    const host = decodeURIComponentOr(text, whole).toLowerCase();
    if (/[^\x21-\x7e]/.test(host)) throw new TypeError(`URL: write the host "${host}" in punycode`);
    if (host === "" || /[\s#%/:<>?@[\\\]^|]/.test(host)) fail(whole);
    const last = host.replace(/\.$/, "").split(".").at(-1);
    return /^(\d+|0x[0-9a-f]*)$/.test(last) ? parseIPv4(host.replace(/\.$/, ""), whole) : host;
  }
  function decodeURIComponentOr(text, whole) { try { return decodeURIComponent(text); } catch { return fail(whole); } }
  function parseIPv4(host, whole) {
    const numbers = host.split(".").map(part => {
      const radix = /^0x/.test(part) ? 16 : /^0\d/.test(part) ? 8 : 10;
      const digits = radix === 16 ? part.slice(2) || "0" : part;
      const ok = { 16: /^[0-9a-f]+$/, 8: /^[0-7]+$/, 10: /^\d+$/ }[radix].test(digits);
      return ok ? parseInt(digits, radix) : fail(whole);
    });
    const last = numbers.pop();
    if (numbers.length > 3 || numbers.some(n => n > 255) || last >= 256 ** (4 - numbers.length)) fail(whole);
    let address = numbers.reduce((sum, n, i) => sum + n * 256 ** (3 - i), 0) + last;
    const out = [];
    for (let i = 0; i < 4; i++) { out.unshift(address % 256); address = Math.floor(address / 256); }
    return out.join(".");
  }
  function parsePort(text, scheme, whole) {
    if (text === "") return "";
    if (!/^\d+$/.test(text) || Number(text) > 65535) fail(whole);
    const port = String(Number(text));
    return port === PORTS[scheme] ? "" : port;
  }
  function flatPath(path, special) {
    const out = [];
    const parts = (special ? path.replaceAll("\\", "/") : path).split("/").slice(1);
    parts.forEach((part, i) => {
      const dots = part.replace(/%2e/gi, ".");
      if (dots === "..") { out.pop(); if (i === parts.length - 1) out.push(""); }
      else if (dots === ".") { if (i === parts.length - 1) out.push(""); }
      else out.push(encode(part, PATH));
    });
    return "/" + out.join("/");
  }
  function authority(url, text, whole) {
    const at = text.lastIndexOf("@");
    if (at >= 0) {
      const [user, ...rest] = text.slice(0, at).split(":");
      url.username = encode(user, USER);
      url.password = encode(rest.join(":"), USER);
      text = text.slice(at + 1);
    }
    const match = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? fail(whole);
    if (url.protocol === "file:") url.host = match[1] === "" || match[1] === "localhost" ? "" : parseHost(match[1], true, whole);
    else url.host = match[1] === "" && !isSpecial(url.protocol) ? "" : parseHost(match[1], isSpecial(url.protocol), whole);
    url.port = parsePort(match[2] ?? "", url.protocol, whole);
  }
  function parse(input, base) {
    const whole = input;
    let text = input.replace(/^[\0-\x20]+|[\0-\x20]+$/g, "").replace(/[\t\n\r]/g, "");
    const url = { protocol: "", username: "", password: "", host: null, port: "", path: "", query: null, hash: null };
    const cut = (mark, unsafe) => {
      const at = text.indexOf(mark);
      if (at < 0) return null;
      const rest = text.slice(at + 1);
      text = text.slice(0, at);
      return encode(rest, unsafe);
    };
    url.hash = cut("#", FRAGMENT);
    url.query = cut("?", QUERY);
    const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
    if (scheme) {
      url.protocol = scheme[1].toLowerCase() + ":";
      text = text.slice(scheme[0].length);
    } else if (!base) fail(whole);
    else url.protocol = base.protocol;
    const special = isSpecial(url.protocol);
    if (special) text = text.replaceAll("\\", "/");
    const sameScheme = !scheme || special && base?.protocol === url.protocol && !text.startsWith("/");
    if (scheme && special && !(sameScheme && base) && !text.startsWith("//")) text = "//" + text.replace(/^\/*/, url.protocol === "file:" ? "/" : "");
    if (text.startsWith("//")) {
      const body = special && url.protocol !== "file:" ? text.replace(/^\/+/, "") : text.slice(2);
      const end = body.search("/");
      authority(url, end < 0 ? body : body.slice(0, end), whole);
      const path = end < 0 ? "" : body.slice(end);
      url.path = path === "" && !special ? "" : flatPath(path || "/", special);
    } else if (base && sameScheme) {
      if (base.host === null && !base.path.startsWith("/") && !(text === "" && url.query === null)) fail(whole);
      Object.assign(url, { username: base.username, password: base.password, host: base.host, port: base.port });
      if (text.startsWith("/")) url.path = flatPath(text, special);
      else if (text === "") {
        url.path = base.path;
        url.query ??= base.query;
      } else url.path = flatPath(base.path.slice(0, base.path.lastIndexOf("/") + 1) + text, special);
    } else if (text.startsWith("/")) url.path = flatPath(text, special);
    else url.path = [...text].map(c => c < " " || c > "~" ? escaped(c) : c).join("");
    return url;
  }

  class URL {
    #url;
    #params;
    constructor(input, base) {
      this.#url = parse(String(input), base === undefined ? undefined : parse(String(base)));
      this.#fresh();
    }
    static canParse(input, base) { try { new URL(input, base); return true; } catch { return false; } }
    static parse(input, base) { try { return new URL(input, base); } catch { return null; } }
    #fresh() {
      this.#params = new URLSearchParams(this.#url.query ?? "", () => {
        this.#url.query = this.#params.toString() || null;
      });
    }
    get href() {
      const u = this.#url;
      const user = u.username + (u.password && ":" + u.password);
      const start = u.host === null ? (u.path.startsWith("//") ? "/." : "") : "//" + user + (user && "@") + this.host;
      return u.protocol + start + u.path + (u.query === null ? "" : "?" + u.query) + (u.hash === null ? "" : "#" + u.hash);
    }
    set href(value) { this.#url = parse(String(value)); this.#fresh(); }
    get origin() {
      const u = this.#url;
      return isSpecial(u.protocol) && u.protocol !== "file:" ? u.protocol + "//" + this.host : "null";
    }
    get protocol() { return this.#url.protocol; }
    set protocol(value) {
      const scheme = String(value).replace(/:.*$/s, "").toLowerCase() + ":";
      if (isSpecial(scheme) === isSpecial(this.#url.protocol)) this.#url.protocol = scheme;
      if (this.#url.port === PORTS[scheme]) this.#url.port = "";
    }
    get username() { return this.#url.username; }
    set username(value) { this.#url.username = encode(String(value), USER); }
    get password() { return this.#url.password; }
    set password(value) { this.#url.password = encode(String(value), USER); }
    get host() { return (this.#url.host ?? "") + (this.#url.port && ":" + this.#url.port); }
    set host(value) {
      const [, host, port] = /^(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?/.exec(String(value));
      this.hostname = host;
      if (port) this.port = port;
    }
    get hostname() { return this.#url.host ?? ""; }
    set hostname(value) { if (this.#url.host !== null) this.#url.host = parseHost(String(value), isSpecial(this.protocol), String(value)); }
    get port() { return this.#url.port; }
    set port(value) { this.#url.port = parsePort(String(value), this.protocol, String(value)); }
    get pathname() { return this.#url.path; }
    set pathname(value) {
      const path = String(value);
      this.#url.path = flatPath(path.startsWith("/") ? path : "/" + path, isSpecial(this.protocol));
    }
    get search() { return this.#url.query ? "?" + this.#url.query : ""; }
    set search(value) {
      const text = String(value).replace(/^\?/, "");
      this.#url.query = text === "" ? null : encode(text, QUERY);
      this.#fresh();
    }
    get searchParams() { return this.#params; }
    get hash() { return this.#url.hash ? "#" + this.#url.hash : ""; }
    set hash(value) {
      const text = String(value).replace(/^#/, "");
      this.#url.hash = text === "" ? null : encode(text, FRAGMENT);
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
  }
  return { URL, URLSearchParams };
})()
