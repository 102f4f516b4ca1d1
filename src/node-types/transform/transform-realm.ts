/** Maximum length of an output, in characters of JSON. The outputs of all node types have the same limit. */
export const MAX_OUTPUT = 4 * 1024 * 1024;

/**
 * Script that defines the function `transform` in JSONata's realm. All jobs share the realm, so the script makes the
 * built-in prototypes non-extensible.
 */
export const TRANSFORM_REALM = String.raw`(() => {
  'use strict';
  const { jsonata } = globalThis;
  const { parse, stringify } = JSON;
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

  // JSONata needs these functions of a browser's window, because the realm has no Buffer.
  const btoa = (text) => {
    let base64 = '';
    for (let i = 0; i < text.length; i += 3) {
      const bytes = [text.charCodeAt(i), text.charCodeAt(i + 1) || 0, text.charCodeAt(i + 2) || 0];
      const group = ((bytes[0] & 255) << 16) | ((bytes[1] & 255) << 8) | (bytes[2] & 255);
      for (let part = 0; part < 4; part += 1)
        base64 += i + part > text.length ? '=' : ALPHABET[(group >> (18 - 6 * part)) & 63];
    }
    return base64;
  };
  const atob = (base64) => {
    let text = '';
    let bits = 0;
    let count = 0;
    for (const character of base64) {
      const value = ALPHABET.indexOf(character === '-' ? '+' : character === '_' ? '/' : character);
      if (value < 0) continue;
      bits = ((bits << 6) | value) & 0xffffff;
      count += 6;
      if (count < 8) continue;
      count -= 8;
      text += String.fromCharCode((bits >> count) & 255);
    }
    return text;
  };
  globalThis.window = { btoa, atob };

  const fail = (reason, message, details) => stringify({ kind: 'failure', reason, message, details });

  /**
   * The kind of a value in the result that JSON cannot represent (a function, or a number that is not finite), else
   * null.
   */
  const flaw = (value) => {
    if (typeof value === 'function') return 'a function';
    if (typeof value === 'number') return Number.isFinite(value) ? null : 'a number that is not finite';
    if (typeof value !== 'object' || value === null) return null;
    if (value._jsonata_lambda === true || value._jsonata_function === true) return 'a function';
    for (const element of Array.isArray(value) ? value : Object.values(value)) {
      const found = flaw(element);
      if (found !== null) return found;
    }
    return null;
  };

  /** The message of V8 for a string or list that exceeds the maximum size. */
  const TOO_LARGE = /^Invalid (string|array|typed array) length/;

  const evaluate = async ({ program, input, maxOutput }) => {
    try {
      const result = await jsonata(program, { stack: 2000 }).evaluate(parse(input));
      const flawed = flaw(result);
      if (flawed !== null) return fail('invalid_output', 'The result is or contains ' + flawed + ', which is not JSON.', {});
      const output = stringify(result) ?? 'null';
      if (output.length > maxOutput)
        return fail('invalid_output', 'The result has ' + output.length + ' characters of JSON. The maximum is ' + maxOutput + '.', {});
      return '{"kind":"output","output":' + output + ',"logs":[]}';
    } catch (error) {
      const { message, code, position } = Object(error);
      const details = {};
      if (typeof code === 'string') details.code = code;
      if (typeof position === 'number') details.position = position;
      const reason = TOO_LARGE.test(message) ? 'memory_exceeded' : 'error';
      return fail(reason, String(message).slice(0, 2000), details);
    }
  };

  Object.defineProperty(globalThis, 'transform', {
    value: (job) => {
      void evaluate(parse(job)).then((text) => (globalThis.answer = text));
    },
  });
  for (const type of [Object, Array, Function, String, Number, Boolean, RegExp, Date, Promise, Map, Set, Error])
    Object.preventExtensions(type.prototype);
})();`;
