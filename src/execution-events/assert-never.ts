/** Closes a switch over a union: the compiler refuses a case that was left out. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
