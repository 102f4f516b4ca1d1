import { ServiceError } from '../errors/index.js';

/** Thrown when a value must be encrypted and no `SECRETS_KEY` is set on PostgreSQL, where no key file is made. */
export class SecretsKeyMissingError extends ServiceError {
  constructor() {
    super(
      503,
      'secrets_key_missing',
      'Secrets cannot be stored: SECRETS_KEY is not set. Set it to 32 random bytes in base64 (openssl rand -base64 32), the same on every process, and restart.',
      { retryAfterSeconds: 60 },
    );
  }
}
