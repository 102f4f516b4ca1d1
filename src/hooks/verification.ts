import { createHmac, hash, timingSafeEqual } from 'node:crypto';

export const VERIFICATION_TYPES = [
  'none',
  'bearer',
  'basic',
  'hmac',
  'github',
  'stripe',
  'standard_webhooks',
] as const;
export type VerificationType = (typeof VERIFICATION_TYPES)[number];

export const HMAC_ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number];

export const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const;
export type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number];

/** How a hook verifies the sender of a request. `secret` is the name of a secret in the project, not its value. */
export type Verification =
  | { readonly type: 'none' }
  | {
      readonly type: 'bearer';
      readonly secret: string;
      readonly header: string;
      readonly prefix: string;
    }
  | { readonly type: 'basic'; readonly secret: string }
  | {
      readonly type: 'hmac';
      readonly secret: string;
      readonly header: string;
      readonly algorithm: HmacAlgorithm;
      readonly encoding: SignatureEncoding;
      readonly prefix: string;
    }
  | { readonly type: 'github'; readonly secret: string }
  | { readonly type: 'stripe'; readonly secret: string; readonly tolerance_seconds: number }
  | { readonly type: 'standard_webhooks'; readonly secret: string; readonly tolerance_seconds: number };

export const DEFAULT_TOLERANCE_SECONDS = 300;

export interface SignedRequest {
  /** The bytes of the body exactly as the sender sent them. */
  readonly rawBody: Buffer;
  /** Header values by header name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Why a request is refused: an error code, and a sentence that is stored with the delivery. */
export interface VerificationFault {
  readonly code: 'signature_missing' | 'signature_invalid' | 'signature_expired';
  readonly reason: string;
}

/**
 * Verifies that a request comes from the sender that knows the secret. The duration of the check does not depend on how
 * many characters match.
 * @param secret value of the secret that `verification.secret` names; not used for `none`
 * @param nowMs current time in epoch milliseconds
 * @returns the reason of a refusal; undefined if the request is valid
 */
export function verificationFault(
  verification: Verification,
  request: SignedRequest,
  secret: string,
  nowMs: number,
): VerificationFault | undefined {
  switch (verification.type) {
    case 'none':
      return undefined;
    case 'bearer':
      return tokenFault(request, verification.header, `${verification.prefix}${secret}`);
    case 'basic':
      return basicFault(request, secret);
    case 'hmac': {
      const { header, algorithm, encoding, prefix } = verification;
      const digest = createHmac(algorithm, secret).update(request.rawBody).digest(encoding);
      return signatureFault(request, header, `${prefix}${digest}`, encoding === 'hex');
    }
    case 'github': {
      const digest = createHmac('sha256', secret).update(request.rawBody).digest('hex');
      return signatureFault(request, 'X-Hub-Signature-256', `sha256=${digest}`, true);
    }
    case 'stripe':
      return stripeFault(verification.tolerance_seconds, request, secret, nowMs);
    case 'standard_webhooks':
      return standardFault(verification.tolerance_seconds, request, secret, nowMs);
  }
}

function tokenFault(
  { headers }: SignedRequest,
  header: string,
  expected: string,
): VerificationFault | undefined {
  const given = headers.get(header.toLowerCase());
  if (given === undefined) return missing(header);
  return isEqual(given, expected) ? undefined : invalid(header);
}

/** Verifies HTTP basic authentication. The scheme `Basic` is not case-sensitive (RFC 9110). */
function basicFault({ headers }: SignedRequest, secret: string): VerificationFault | undefined {
  const given = headers.get('authorization');
  if (given === undefined) return missing('Authorization');
  const [, credentials] = /^basic +(\S+)$/i.exec(given) ?? [];
  const expected = Buffer.from(secret).toString('base64');
  return credentials !== undefined && isEqual(credentials, expected) ? undefined : invalid('Authorization');
}

function signatureFault(
  { headers }: SignedRequest,
  header: string,
  expected: string,
  ignoresCase: boolean,
): VerificationFault | undefined {
  const given = headers.get(header.toLowerCase());
  if (given === undefined) return missing(header);
  const isValid = ignoresCase
    ? isEqual(given.toLowerCase(), expected.toLowerCase())
    : isEqual(given, expected);
  return isValid ? undefined : invalid(header);
}

/** Verifies the header `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]`. The signed text is `<seconds>.<body>`. */
function stripeFault(
  toleranceSeconds: number,
  { rawBody, headers }: SignedRequest,
  secret: string,
  nowMs: number,
): VerificationFault | undefined {
  const given = headers.get('stripe-signature');
  if (given === undefined) return missing('Stripe-Signature');
  const parts = given.split(',').map((part) => part.trim().split('=', 2));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, value = '']) => (name === 'v1' ? [value] : []));
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
  if (!isAnyEqual(signatures, expected)) return invalid('Stripe-Signature');
  return ageFault(timestamp, toleranceSeconds, nowMs);
}

const STANDARD_PREFIX = 'whsec_';

/** Verifies the header `webhook-signature: v1,<base64> [v1,<base64>]`. The signed text is `<id>.<seconds>.<body>`. */
function standardFault(
  toleranceSeconds: number,
  { rawBody, headers }: SignedRequest,
  secret: string,
  nowMs: number,
): VerificationFault | undefined {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headers.get(name),
  );
  if (id === undefined) return missing('webhook-id');
  if (timestamp === undefined) return missing('webhook-timestamp');
  if (given === undefined) return missing('webhook-signature');
  const text = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret;
  const key = Buffer.from(text, 'base64');
  // Anybody could sign with an empty key.
  if (key.length === 0) return invalid('webhook-signature');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  const signatures = given.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  if (!isAnyEqual(signatures, expected)) return invalid('webhook-signature');
  return ageFault(timestamp, toleranceSeconds, nowMs);
}

/**
 * Refuses a signature whose timestamp differs too much from the current time. The timestamp is signed, so an attacker
 * who replays a request cannot change it.
 */
function ageFault(timestamp: string, toleranceSeconds: number, nowMs: number): VerificationFault | undefined {
  const differenceSeconds = Math.abs(nowMs / 1_000 - Number(timestamp));
  if (/^\d{1,12}$/.test(timestamp) && differenceSeconds <= toleranceSeconds) return undefined;
  return {
    code: 'signature_expired',
    reason: `The timestamp of the signature differs from the time of the service by more than ${toleranceSeconds} s.`,
  };
}

function missing(header: string): VerificationFault {
  return { code: 'signature_missing', reason: `The header ${header} is missing.` };
}

function invalid(header: string): VerificationFault {
  return {
    code: 'signature_invalid',
    reason: `The header ${header} does not match the secret and the body.`,
  };
}

/**
 * Compares the expected signature with every candidate. The loop never stops early, so its duration does not reveal
 * which candidate matches.
 */
function isAnyEqual(candidates: readonly string[], expected: string): boolean {
  let isFound = false;
  for (const candidate of candidates) isFound = isEqual(candidate, expected) || isFound;
  return isFound;
}

/**
 * Compares two strings by their SHA-256 hashes in constant time, so that the duration does not reveal how many
 * characters match.
 */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
