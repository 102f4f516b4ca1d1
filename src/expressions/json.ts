export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/**
 * A JSON object. Its keys come from users and may be names such as `constructor`, so lookups must read own properties
 * only.
 */
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
