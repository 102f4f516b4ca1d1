/** Turns a missing case of a `switch` into a compile error, if the `default` case calls this function. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
