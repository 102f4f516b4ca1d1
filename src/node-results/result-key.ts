import { hash } from 'node:crypto';
import type { Json, JsonObject } from '../expressions/index.js';
import type { NodeTypeDescription } from '../node-contract/index.js';

/**
 * Returns the cache key of a result: a digest of project, node type, version of the node type, and input. The database
 * stores only this digest, so the table contains no inputs.
 */
export function resultKey(
  projectId: string,
  { type, version }: Pick<NodeTypeDescription, 'type' | 'version'>,
  input: JsonObject,
): string {
  return hash('sha256', canonicalJson([projectId, type, version, input]), 'base64url');
}

/** Serializes a value as JSON with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${fields.join(',')}}`;
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
