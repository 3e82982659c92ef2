// Evaluated once per run before the program, with the engine's own intrinsics. What is needed later
// is captured here, so a program that changes prototypes changes only its own view.
//
// Not in parentheses: the engine would read the whole of them twice, in search of an arrow.
0, function (host, missing, lazy) {
  "use strict";
  const { defineProperty, freeze } = Object;
  const { call } = Function.prototype;
  const eachOfMap = call.bind(Map.prototype.forEach);
  const eachOfSet = call.bind(Set.prototype.forEach);
  const isoDate = call.bind(Date.prototype.toISOString);
  const regExpText = call.bind(RegExp.prototype.toString);
  const GlobalMap = Map, GlobalSet = Set, GlobalDate = Date, GlobalRegExp = RegExp;

  class ToolCallError extends Error {
    constructor(toolName, message) {
      super(message);
      defineProperty(this, "toolName", { value: toolName, enumerable: true });
    }
  }
  defineProperty(ToolCallError.prototype, "name", { value: "ToolCallError" });
  freeze(ToolCallError.prototype);
  freeze(ToolCallError);

  function define(name, value) {
    defineProperty(globalThis, name, { value, writable: true, configurable: true });
    return value;
  }
  function answer(name, get) {
    defineProperty(globalThis, name, {
      get, set: value => { define(name, value); }, configurable: true,
    });
  }
  for (let i = 0; i < missing.length; i++) {
    const name = missing[i];
    answer(name, () => host.lesson(name));
  }
  for (let i = 0; i < lazy.length; i++) {
    const name = lazy[i];
    answer(name, () => define(name, host.load(name)));
  }

  const { print } = host;
  define("console", {
    log: print, info: print, warn: print, error: print, debug: print, trace: print, dir: print,
    table: print, group: print,
    groupEnd() {}, time() {}, timeEnd() {},
    assert(condition, ...rest) { if (!condition) print("assertion failed:", ...rest); },
  });
  define("setTimeout", host.setTimeout);
  define("clearTimeout", host.clearTimeout);
  defineProperty(globalThis, "tools", { value: host.tools, enumerable: true });
  defineProperty(globalThis, "ToolCallError", { value: ToolCallError });

  // What `console.log` shows of an object that is more than its properties: its kind and its parts.
  function parts(value) {
    const found = [];
    let length = 0;
    const add = part => { defineProperty(found, length++, { value: part, enumerable: true }); };
    if (value instanceof GlobalMap) {
      eachOfMap(value, (item, key) => { add(key); add(item); });
      return ["Map", found];
    }
    if (value instanceof GlobalSet) {
      eachOfSet(value, add);
      return ["Set", found];
    }
    if (value instanceof GlobalDate) return ["text", isoDate(value)];
    if (value instanceof GlobalRegExp) return ["text", regExpText(value)];
    return null;
  }
  return { ToolCallError, parts };
}
