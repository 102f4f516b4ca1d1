export { Encryption } from './encryption.js';
export { SecretsKeyMissingError } from './encryption.errors.js';
export { EncryptionModule } from './encryption.module.js';
export { keyIdOf, UnreadableSecretError } from './key-ring.js';
