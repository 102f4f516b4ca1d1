/** A JSON value, as in the API, in the journal and in outputs of nodes. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its keys are user data, so a lookup by key must not read properties of a prototype. */
export interface JsonObject {
  readonly [key: string]: Json;
}
