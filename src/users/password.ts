import { type PasswordLane, PasswordWork } from './password-work.js';

export const MIN_PASSWORD_LENGTH = 12;
/** Maximum length of a password, because anyone can request the hashing. */
export const MAX_PASSWORD_LENGTH = 256;

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const work = new PasswordWork();

/** The argon2id hash of a new password, in PHC form. Callers must first check the right to set a password. */
export async function hashPassword(password: string): Promise<string> {
  // Loaded at first use, because most processes check only keys.
  const { Algorithm, hash } = await import('@node-rs/argon2');
  return work.run('known', () => hash(password, { ...ARGON2, algorithm: Algorithm.Argon2id }));
}

let decoy: Promise<string> | undefined;

/**
 * Whether a password matches the hash. A check without a hash takes the same time, so that the response time reveals
 * nothing.
 *
 * @throws UnavailableError when too many passwords of unknown people wait
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
