export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys are user data, so a lookup must read own properties only. */
export interface JsonObject {
  readonly [key: string]: Json;
}
