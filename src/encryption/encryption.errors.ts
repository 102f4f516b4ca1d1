import { ServiceError } from '../errors/index.js';

/**
 * Thrown when the service with PostgreSQL must encrypt a value but `SECRETS_KEY` is not set. With SQLite, the service
 * creates a key file instead.
 */
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
