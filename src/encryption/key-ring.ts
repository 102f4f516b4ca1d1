import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 8;
/** Version of the format, the first part of every encrypted string. */
const FORMAT = 'v1';

/**
 * Thrown when an encrypted string cannot be decrypted: its key is missing, its context differs, or it
 * was changed.
 */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError';
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Encrypts by AES-256-GCM with the current key; older keys only decrypt. Format: `v1.<key
 * id>.<nonce>.<ciphertext and tag>`, in base64url with a random nonce.
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

  /** 8 hexadecimal characters, derived from the key's secret. */
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
      throw new UnreadableSecretError(`The key ${keyId} is not in SECRETS_KEY or SECRETS_KEY_OLD.`);
    const bytes = Buffer.from(body, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new UnreadableSecretError('The encrypted text was modified or belongs to another row.', {
        cause: error,
      });
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
