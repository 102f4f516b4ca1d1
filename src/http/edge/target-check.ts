import type { IncomingMessage } from 'node:http';
import { ValidationError } from '../../errors/index.js';
import { childPath } from '../validation/field-path.js';
import { holdPathFault } from './held-fault.js';

/**
 * Matches characters in a request target that require the complete check. Targets without these characters are accepted
 * immediately.
 */
const UNUSUAL = /%|\\|\/\/|\/\.|[^\x21-\x7e]/;
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** Path that replaces a malformed path, so that the guards can run before the error is sent. */
const MALFORMED_PATH = '/malformed-path';

/**
 * Refuses malformed request targets, such as paths with `..` segments, which proxies and servers may interpret
 * differently.
 */
export function checkTarget(request: IncomingMessage): void {
  // The service checks the header `Host`, because Node.js would refuse a request without this header with an
  // empty response.
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    holdPathFault(request, malformed('Host', 'required', 'header is required'));
  const target = request.url ?? '/';
  if (target.charCodeAt(0) === SLASH && !UNUSUAL.test(target)) return;
  // A server must accept a request target that is a whole URL (RFC 9112, section 3.2.2).
  const url = target.replace(ORIGIN, '');
  const originForm = url.startsWith('/') ? url : `/${url}`;
  const fault =
    target === '*' ? malformed('path', 'malformed_path', 'must begin with a slash') : targetFault(originForm);
  if (fault !== undefined) holdPathFault(request, fault);
  request.url = fault === undefined ? originForm : MALFORMED_PATH;
}

const SLASH = 47;

export function targetFault(url: string): ValidationError | undefined {
  const mark = url.indexOf('?');
  return mark < 0 ? pathFault(url) : (pathFault(url.slice(0, mark)) ?? queryFault(url.slice(mark + 1)));
}

function pathFault(path: string): ValidationError | undefined {
  if (path.includes('//')) return malformed('path', 'malformed_path', 'must not have empty segments');
  const text = decoded(path);
  if (text === undefined)
    return malformed('path', 'malformed_percent_encoding', 'has a malformed percent-encoding');
  if (text.includes('\0')) return malformed('path', 'nul_character', 'must not contain a NUL character');
  if (DOT_SEGMENT.test(text) || text.includes('\\'))
    return malformed('path', 'malformed_path', 'must not contain "." or ".." segments or backslashes');
  return undefined;
}

function queryFault(query: string): ValidationError | undefined {
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    const field = name === undefined || name === '' ? 'query' : childPath('', name);
    if (name === undefined || value === undefined)
      return malformed(field, 'malformed_percent_encoding', 'has a malformed percent-encoding');
    if (name.includes('\0') || value.includes('\0'))
      return malformed(field, 'nul_character', 'must not contain a NUL character');
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function malformed(field: string, code: string, message: string): ValidationError {
  return ValidationError.of(field, code, message);
}
