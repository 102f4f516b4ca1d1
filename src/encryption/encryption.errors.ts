import { ServiceError } from '../errors/index.js';

/** Thrown on PostgreSQL when a value must be encrypted but `SECRETS_KEY` is not set. */
export class SecretsKeyMissingError extends ServiceError {
  constructor() {
    super(
      503,
      'secrets_key_missing',
      'Secrets cannot be stored because SECRETS_KEY is not set. Set it to 32 random bytes in base64 (openssl rand -base64 32), with the same value for every process, and restart.',
      { retryAfterSeconds: 60 },
    );
  }
}

/** Thrown on SQLite if the key file is empty, for example because the disk was full when the file was created. */
export class EmptyKeyFileError extends ServiceError {
  constructor(file: string) {
    super(
      503,
      'secrets_key_missing',
      `Secrets cannot be stored or read because the file ${file} in DATA_DIR is empty. Restore it from a backup. If no secret is stored yet, delete it.`,
      { retryAfterSeconds: 60 },
    );
  }
}
