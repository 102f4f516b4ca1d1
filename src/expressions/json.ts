/** A JSON value, as in the API, in the journal and in outputs of nodes. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its keys are user data: they must not be used to read properties of a prototype. */
export interface JsonObject {
  readonly [key: string]: Json;
}
