import { type Principal, refusedCaller } from '../../access/index.js';
import type { AuditEvent } from '../../audit/index.js';
import { ServiceError } from '../../errors/index.js';

export type RefusalAction =
  | 'key.refused'
  | 'sign_in.refused'
  | 'token.refused'
  | 'invitation.refused'
  | 'set_up_link.refused'
  | 'request.refused';

export interface RefusedRequest {
  /** Canonical IP address of the client. Behind trusted proxies, the address comes from `X-Forwarded-For`. */
  readonly address: string;
  readonly requestId?: string;
  /** The authenticated caller; undefined if the credential was refused. */
  readonly principal?: Principal | undefined;
  readonly method: string;
  /**
   * Path of the route with placeholders such as `:id`. The path in the URL is not recorded, because it may contain a
   * token.
   */
  readonly path: string;
  /** The resource that the path of the request names. */
  readonly target?: AuditEvent['target'] | undefined;
}

export interface Refusal {
  readonly action: RefusalAction;
  readonly code: string;
  /** Id of the caller's team; null if the team is unknown. */
  readonly teamId: string | null;
  readonly projectId: string | null;
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly address: string;
  readonly requestId: string | undefined;
  readonly target: AuditEvent['target'] | undefined;
  readonly details: Readonly<Record<string, string>>;
  /** Email address of a failed sign-in, by which the account is found. The address is never stored. */
  readonly email: string | undefined;
}

/**
 * Error codes of refusals that are not recorded, because they are normal: the dashboard gets them before each sign-in
 * and after the end of each sign-in.
 */
const UNRECORDED_CODES: ReadonlySet<string> = new Set(['missing_key', 'sign_in_ended']);

const ACTIONS: Readonly<Record<string, RefusalAction>> = {
  invalid_key: 'key.refused',
  expired_key: 'key.refused',
  malformed_authorization: 'key.refused',
  address_not_allowed: 'key.refused',
  invalid_credentials: 'sign_in.refused',
  wrong_password: 'sign_in.refused',
  no_team: 'sign_in.refused',
  too_many_sign_in_attempts: 'sign_in.refused',
  invalid_jwt: 'token.refused',
  expired_jwt: 'token.refused',
  used_jwt: 'token.refused',
  unknown_subject: 'token.refused',
  team_not_allowed: 'token.refused',
  role_not_allowed: 'token.refused',
  no_scope: 'token.refused',
  invalid_invitation: 'invitation.refused',
  invalid_set_up_link: 'set_up_link.refused',
};

const LIMITS: ReadonlySet<string> = new Set(['too_many_failed_authentications', 'too_many_sign_in_attempts']);

/** Returns the refusal that an error reports; undefined if the audit log does not record such errors. */
export function refusalOf(error: unknown, request: RefusedRequest): Refusal | undefined {
  if (!(error instanceof ServiceError) || !isRefusal(error)) return undefined;
  const { principal, address, requestId, method, path, target } = request;
  const caller = { ...principal, ...refusedCaller(error) };
  const { code, details = {} } = error;
  const scope = details['required_scope'];
  return {
    action: actionOf(code, principal !== undefined),
    code,
    teamId: caller.teamId ?? null,
    projectId: caller.projectId ?? null,
    userId: caller.userId ?? null,
    keyId: caller.keyId ?? null,
    address,
    requestId,
    target,
    details: {
      method,
      path,
      ...(typeof scope === 'string' ? { required_scope: scope } : {}),
      ...(caller.issuer === undefined ? {} : { issuer: caller.issuer }),
    },
    email: caller.email,
  };
}

function isRefusal({ status, code }: ServiceError): boolean {
  if (status === 429) return LIMITS.has(code);
  return (status === 401 || status === 403) && !UNRECORDED_CODES.has(code);
}

/**
 * Returns the audit action for an error code. The code `not_a_member` has two meanings: a refused token exchange if the
 * caller is unknown, and otherwise a refused change of team.
 */
function actionOf(code: string, isKnown: boolean): RefusalAction {
  if (code === 'not_a_member' && !isKnown) return 'token.refused';
  return ACTIONS[code] ?? 'request.refused';
}
