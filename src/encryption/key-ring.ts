import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 8;
/** Version of the format of encrypted strings. Every encrypted string starts with this version. */
const FORMAT = 'v1';

/**
 * Thrown when an encrypted string cannot be decrypted: the key is missing, the context differs, or the string was
 * changed.
 */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError';
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Encrypts by AES-256-GCM with the current key and a random nonce. Older keys only decrypt. An encrypted string has the
 * format `v1.<key id>.<nonce>.<ciphertext and tag>`, with nonce and ciphertext in base64url.
 */
export class KeyRing {
  private readonly current: Key;
  private readonly byId: ReadonlyMap<string, Key>;

  /**
   * @param secrets strings of any length, the current one first. HKDF-SHA256 derives an AES key
   * from each.
   */
  constructor(secrets: readonly [string, ...string[]]) {
    const [current, ...older] = secrets.map(keyOf) as [Key, ...Key[]];
    this.current = current;
    this.byId = new Map([...older, current].map((key) => [key.id, key]));
  }

  /** Id of the key that encrypts: 8 hexadecimal characters of a hash of the key. */
  get currentKeyId(): string {
    return this.current.id;
  }

  /**
   * @param context names the encrypted value, such as `secret:<id>`; `open` must get an equal
   * context
   */
  seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.current.bytes, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, this.current.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /**
   * @throws UnreadableSecretError
   */
  open(sealed: string, context: string): string {
    const [format, keyId = '', nonce = '', body = ''] = sealed.split('.');
    const key = format === FORMAT ? this.byId.get(keyId) : undefined;
    if (key === undefined)
      throw new UnreadableSecretError(
        `The value was encrypted with the key ${keyId}, which is not in SECRETS_KEY or SECRETS_KEY_OLD. Add this key to SECRETS_KEY_OLD.`,
      );
    const bytes = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new UnreadableSecretError(
        'The encrypted value was modified, or it belongs to another row of the database.',
        {
          cause: error,
        },
      );
    }
  }
}

export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

function keyOf(secret: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'workflow-service/encryption', KEY_BYTES));
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_CHARACTERS);
  return { id, bytes };
}
