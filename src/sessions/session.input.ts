import type { JsonObject } from '../expressions/index.js';
import { defined, instantOf, isoTime } from '../platform/index.js';
import { mergePatch } from '../http/index.js';
import { ValidationError } from '../errors/index.js';
import type { NewSession, Session, SessionInput } from './session.js';
import type { ChangeSessionBody, CreateSessionBody } from './session.dto.js';

/**
 * Converts a validated request body to a new session.
 *
 * @param now current time in epoch milliseconds
 * @throws ValidationError when the expiry is not in the future, or when the body contains both `expires_at` and
 * `expires_in_seconds`.
 */
export function newSession(body: CreateSessionBody, now: number): NewSession {
  return defined({
    ...settings(body, now),
    metadata: body.metadata === null ? {} : body.metadata,
    state: body.state === null ? {} : body.state,
    externalId: body.external_id,
  });
}

/**
 * Converts a validated request body to a change of a session. `metadata` and `state` are merged into the stored
 * documents; other fields are replaced.
 *
 * @throws ValidationError for the same reasons as `newSession`.
 */
export function sessionChange(session: Session, body: ChangeSessionBody, now: number): SessionInput {
  return defined({
    ...settings(body, now),
    metadata: body.metadata === undefined ? undefined : merged(session.metadata, body.metadata),
    state: body.state === undefined ? undefined : merged(session.state, body.state),
  });
}

function settings(body: ChangeSessionBody, now: number): SessionInput {
  return defined({ name: body.name, concurrency: body.concurrency, expiresAt: expiryOf(body, now) });
}

/** Merges a patch into a JSON document (RFC 7396). A null patch empties the document. */
function merged(document: JsonObject, patch: JsonObject | null): JsonObject {
  return patch === null ? {} : (mergePatch(document, patch) as JsonObject);
}

function expiryOf(
  { expires_at, expires_in_seconds }: ChangeSessionBody,
  now: number,
): string | null | undefined {
  if (expires_in_seconds !== undefined) {
    if (expires_at !== undefined)
      throw ValidationError.of(
        'expires_in_seconds',
        'given_twice',
        'cannot be given together with expires_at',
      );
    return isoTime(now + expires_in_seconds * 1_000);
  }
  if (expires_at === undefined || expires_at === null) return expires_at;
  const at = instantOf(expires_at);
  if (at === undefined || at <= now)
    throw ValidationError.of('expires_at', 'not_in_future', 'must be a time in the future');
  return isoTime(at);
}
