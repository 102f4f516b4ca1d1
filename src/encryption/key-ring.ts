import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 8;
/** First part of every sealed text. */
const FORMAT = 'v1';

/** Thrown when a sealed text cannot be opened: its key is missing, its context differs, or it was changed. */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError';
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * AES-256-GCM under one current key, with older keys for reading. A sealed text is
 * `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url; each has a random nonce of its own.
 */
export class KeyRing {
  private readonly current: Key;
  private readonly byId: ReadonlyMap<string, Key>;

  /** @param secrets key texts of any length, the current one first; AES keys are derived from them by HKDF-SHA256 */
  constructor(secrets: readonly [string, ...string[]]) {
    const [current, ...older] = secrets.map(keyOf) as [Key, ...Key[]];
    this.current = current;
    this.byId = new Map([...older, current].map((key) => [key.id, key]));
  }

  /** Id of the key that seals: 8 hexadecimal characters, stable for the same key text. */
  get currentKeyId(): string {
    return this.current.id;
  }

  /** @param context names what is sealed, such as `secret:<id>`; the same context is needed to open the text */
  seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.current.bytes, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, this.current.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws UnreadableSecretError */
  open(sealed: string, context: string): string {
    const [format, keyId = '', nonce = '', body = ''] = sealed.split('.');
    const key = format === FORMAT ? this.byId.get(keyId) : undefined;
    if (key === undefined)
      throw new UnreadableSecretError(`No key ${keyId} in SECRETS_KEY or SECRETS_KEY_OLD.`);
    const bytes = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new UnreadableSecretError('The sealed text was changed or belongs elsewhere.', { cause: error });
    }
  }
}

/** Id of the key that sealed a text. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

function keyOf(secret: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'workflow-service/encryption', KEY_BYTES));
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_CHARACTERS);
  return { id, bytes };
}
