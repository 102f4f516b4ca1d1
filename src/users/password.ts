import { type PasswordLane, PasswordWork } from './password-work.js';

export const MIN_PASSWORD_LENGTH = 12;
/**
 * Maximum length of a password, in characters. Without this limit, anyone could cause expensive hashes by signing in
 * with long passwords.
 */
export const MAX_PASSWORD_LENGTH = 256;

/** Parameters of argon2id that OWASP recommends: 19 MiB of memory, two iterations, one degree of parallelism. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const work = new PasswordWork();

/**
 * Returns the argon2id hash of a new password, in PHC string format. The hash runs with high priority, so callers must
 * first check that the user may set a password.
 */
export async function hashPassword(password: string): Promise<string> {
  // argon2 is loaded at the first use, because most processes check only API keys.
  const { Algorithm, hash } = await import('@node-rs/argon2');
  return work.run('known', () => hash(password, { ...ARGON2, algorithm: Algorithm.Argon2id }));
}

let decoy: Promise<string> | undefined;

/**
 * Whether a password matches a hash. A null hash is replaced by a decoy hash. Otherwise the short response time would
 * reveal that the user has no password.
 *
 * @throws UnavailableError if too many password checks of unknown callers wait
 */
export async function isPassword(
  password: string,
  passwordHash: string | null,
  lane: PasswordLane,
): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  const expected = passwordHash ?? (await (decoy ??= hashPassword('decoy')));
  const matches = await work.run(lane, () => verify(expected, password));
  return passwordHash !== null && matches;
}
