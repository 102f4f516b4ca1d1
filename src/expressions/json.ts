/** A JSON value, as used on the wire, in the journal and in outputs of nodes. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its keys are user data: never use them to read from a prototype. */
export interface JsonObject {
  readonly [key: string]: Json;
}
