import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../settings/index.js';
import { SecretsKeyMissingError } from './encryption.errors.js';
import { KeyRing } from './key-ring.js';

/**
 * Name of the file in `DATA_DIR` that contains the encryption key. With SQLite, the service creates this file if
 * `SECRETS_KEY` is not set.
 */
const KEY_FILE = 'secrets.key';
const FILE_MODE = 0o600;
const KEY_BYTES = 32;

/** Encrypts and decrypts with the current key. The keys in `SECRETS_KEY_OLD` can still decrypt. */
@Injectable()
export class Encryption {
  private ring: KeyRing | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * @param context names the encrypted value, such as `secret:<id>`; `open` must get an equal
   * context
   * @throws SecretsKeyMissingError
   */
  seal(plain: string, context: string): string {
    return this.keys().seal(plain, context);
  }

  /**
   * @throws SecretsKeyMissingError
   * @throws UnreadableSecretError if the key is missing, the context differs, or the encrypted
   * string was changed
   */
  open(sealed: string, context: string): string {
    return this.keys().open(sealed, context);
  }

  /**
   * Id of the key that encrypts new values.
   * @throws SecretsKeyMissingError
   */
  get currentKeyId(): string {
    return this.keys().currentKeyId;
  }

  private keys(): KeyRing {
    return (this.ring ??= new KeyRing(this.keyTexts()));
  }

  private keyTexts(): readonly [string, ...string[]] {
    const { SECRETS_KEY, SECRETS_KEY_OLD, DATA_DIR, database } = this.settings;
    const file = join(DATA_DIR, KEY_FILE);
    const kept = database.dialect === 'sqlite' && existsSync(file) ? [readFileSync(file, 'utf8').trim()] : [];
    const [current, ...older] = [
      ...(SECRETS_KEY === undefined ? [] : [SECRETS_KEY]),
      ...kept,
      ...SECRETS_KEY_OLD,
    ];
    if (SECRETS_KEY !== undefined || kept.length > 0) return [current ?? '', ...older];
    if (database.dialect !== 'sqlite') throw new SecretsKeyMissingError();
    return [newKeyFile(file), ...SECRETS_KEY_OLD];
  }
}

/**
 * Creates the key file and returns its key. If another process has created the file first, returns the key of that
 * process.
 */
function newKeyFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: FILE_MODE, flag: 'wx' });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
