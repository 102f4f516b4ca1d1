/** A JSON value: what crosses the wire, stands in a journal and comes out of a node. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys are data: never use them to reach into a prototype. */
export interface JsonObject {
  readonly [key: string]: Json;
}
