export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/**
 * A JSON object. Its keys come from users and may be names such as `constructor`, so lookups must read own properties
 * only.
 */
export interface JsonObject {
  readonly [key: string]: Json;
}
