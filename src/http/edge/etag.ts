import { PreconditionFailedError, ValidationError } from '../../errors/index.js';

/**
 * The strong entity tag of a resource, from its version.
 * @param version counter or hash
 */
export function etagOf(version: number | string): string {
  return `"${version}"`;
}

/**
 * Whether the header `If-None-Match` contains the current entity tag (RFC 9110, section 13.1.2). `*` always matches.
 */
export function isUnchanged(ifNoneMatch: string, currentEtag: string | undefined): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  if (currentEtag === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(currentEtag));
}

const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/**
 * Returns the resource if the header `If-Match` contains its current entity tag (RFC 9110, section 13.1.1). `*` and an
 * absent header always match.
 * @throws PreconditionFailedError if the header contains only other tags
 * @throws ValidationError if the header is malformed
 */
export function matched<Resource extends { readonly revision: number }>(
  resource: Resource,
  ifMatch: string | undefined,
): Resource {
  if (ifMatch === undefined || ifMatch.trim() === '*') return resource;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => TAG.test(tag)))
    throw ValidationError.of(
      'If-Match',
      'malformed_etag',
      'must be "*" or entity tags in double quotes, separated by commas',
    );
  const currentEtag = etagOf(resource.revision);
  if (!tags.includes(currentEtag)) throw new PreconditionFailedError(currentEtag);
  return resource;
}
