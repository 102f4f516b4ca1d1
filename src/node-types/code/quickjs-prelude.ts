/**
 * Script that runs inside QuickJS before the code of a node, and returns `console`, `parse`, `stringify` and
 * `describe`. The script keeps its own references to built-in functions, because the code of the node could replace
 * those functions.
 */
export const PRELUDE = String.raw`(emit) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const toText = String;
  const ErrorClass = Error;
  const cut = (text, length) => apply(slice, text, [0, length]);
  const isError = (value) => {
    try {
      return typeof value === 'object' && value instanceof ErrorClass;
    } catch {
      return false;
    }
  };
  const show = (value) => {
    try {
      if (typeof value === 'string') return value;
      if (isError(value)) return toText(value.name) + ': ' + toText(value.message);
      const json = typeof value === 'object' ? stringify(value) : undefined;
      return typeof json === 'string' ? json : toText(value);
    } catch {
      return '(a value that cannot be shown)';
    }
  };
  const stackOf = (error) => {
    try {
      return isError(error) && typeof error.stack === 'string' ? error.stack : '';
    } catch {
      return '';
    }
  };
  const writer = (prefix) => (...values) => {
    let line = prefix;
    for (let index = 0; index < values.length && line.length <= 8192; index += 1)
      line += (index === 0 ? '' : ' ') + cut(show(values[index]), 8193);
    emit(line);
  };
  const plain = writer('');
  const warn = writer('warning: ');
  return {
    __proto__: null,
    parse,
    stringify,
    describe: (error) => ({
      __proto__: null,
      text: cut(isError(error) ? show(error) : 'Thrown: ' + show(error), 2000),
      stack: cut(stackOf(error), 2000),
    }),
    console: { log: plain, info: plain, debug: plain, trace: plain, warn, error: writer('error: ') },
  };
}`;
