(function () {
  "use strict";
  function copy(value, seen) {
    if (typeof value === "function" || typeof value === "symbol") {
      throw new TypeError(`structuredClone: a ${typeof value} cannot be copied`);
    }
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = made => { seen.set(value, made); return made; };
    if (Array.isArray(value)) {
      const made = keep(new Array(value.length));
      for (const key of Object.keys(value)) made[key] = copy(value[key], seen);
      return made;
    }
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof Map) {
      const made = keep(new Map());
      for (const [key, item] of value) made.set(copy(key, seen), copy(item, seen));
      return made;
    }
    if (value instanceof Set) {
      const made = keep(new Set());
      for (const item of value) made.add(copy(item, seen));
      return made;
    }
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (ArrayBuffer.isView(value)) {
      const buffer = copy(value.buffer, seen);
      return keep(new value.constructor(buffer, value.byteOffset, value.length ?? value.byteLength));
    }
    if (value instanceof Error) {
      const made = keep(new globalThis[value.name in globalThis ? value.name : "Error"](value.message));
      made.stack = value.stack;
      if ("cause" in value) made.cause = copy(value.cause, seen);
      return made;
    }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
      throw new TypeError(`structuredClone: a ${value.constructor.name} cannot be copied`);
    }
    const made = keep({});
    for (const key of Object.keys(value)) {
      Object.defineProperty(made, key, {
        value: copy(value[key], seen), writable: true, enumerable: true, configurable: true,
      });
    }
    return made;
  }
  return function structuredClone(value) {
    if (arguments.length === 0) throw new TypeError("structuredClone: a value is needed");
    return copy(value, new Map());
  };
})()
