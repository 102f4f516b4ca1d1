import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../settings/index.js';
import { EmptyKeyFileError, SecretsKeyMissingError } from './encryption.errors.js';
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
   * @throws SecretsKeyMissingError; EmptyKeyFileError.
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
    const kept = database.dialect === 'sqlite' && existsSync(file) ? [keyIn(file)] : [];
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
  let file: number;
  try {
    file = openSync(path, 'wx', FILE_MODE);
  } catch (error) {
    if (!existsSync(path)) throw error;
    return keyIn(path);
  }
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { flush: true });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return keyIn(path);
}

/** @throws EmptyKeyFileError, because anybody could derive the encryption key from an empty text */
function keyIn(path: string): string {
  const key = readFileSync(path, 'utf8').trim();
  if (key === '') throw new EmptyKeyFileError(KEY_FILE);
  return key;
}
