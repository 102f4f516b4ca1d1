import { type PasswordLane, PasswordWork } from './password-work.js';

/** Fewest characters of a password. */
export const MIN_PASSWORD_LENGTH = 12;
/** Most characters of a password: hashing is work that a stranger can ask for. */
export const MAX_PASSWORD_LENGTH = 256;

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const work = new PasswordWork();

/** The argon2id hash of a new password, in PHC form; asked for only by who may set one. */
export async function hashPassword(password: string): Promise<string> {
  // Loaded by its first use: most processes are asked for keys and never for a password.
  const { Algorithm, hash } = await import('@node-rs/argon2');
  return work.run('known', () => hash(password, { ...ARGON2, algorithm: Algorithm.Argon2id }));
}

let decoy: Promise<string> | undefined;

/**
 * Whether a password is the one that was hashed. Where there is no hash (an unknown person, or one without a
 * password) the same work is done, so that the time of the answer does not tell.
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
