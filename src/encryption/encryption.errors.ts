import { ServiceError } from '../errors/index.js';

/**
 * Thrown when a value must be encrypted but `SECRETS_KEY` is not set on PostgreSQL. On SQLite the service creates a key
 * file instead.
 */
export class SecretsKeyMissingError extends ServiceError {
  constructor() {
    super(
      503,
      'secrets_key_missing',
      'Secrets cannot be stored because SECRETS_KEY is not set. Set it to 32 random bytes in base64 (openssl rand -base64 32), the same for every process, and restart.',
      { retryAfterSeconds: 60 },
    );
  }
}
