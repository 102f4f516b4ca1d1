/**
 * Makes the ES module of `node:http` without Node's own `fetch` in it, which nothing here needs to stand ready. The entry
 * files of the service and of its commands import it before anything that imports `node:http`.
 *
 * An ES module of a built-in one holds all that is exported, so whoever imports any of it has the getters of `http`
 * called: three of them load undici with HTTP/2, web streams and all, some megabytes that an idle process never uses.
 * Where somebody does call `fetch`, they are loaded then.
 */
const http = process.getBuiltinModule('node:http');

const getters = ['WebSocket', 'CloseEvent', 'MessageEvent'].flatMap((name) => {
  const getter = Object.getOwnPropertyDescriptor(http, name);
  return getter?.configurable === true ? [{ name, getter }] : [];
});
const NOTHING = { value: undefined, enumerable: true, configurable: true };
for (const { name } of getters) Object.defineProperty(http, name, NOTHING);
await import('node:http');
for (const { name, getter } of getters) Object.defineProperty(http, name, getter);
