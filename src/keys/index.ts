export {
  type ApiKey,
  DEFAULT_KEY_ENVIRONMENT,
  KEY_ENVIRONMENTS,
  type KeyEnvironment,
  type KeyMaker,
  type KeyOrigin,
  type NewKey,
} from './api-key.js';
export { ApiKeyEntity } from './api-key.entity.js';
export { apiKeyOnWire } from './api-key.wire.js';
export { ExchangedKeys } from './exchanged-keys.repository.js';
export { type KeyEvent, type KeyListener, KeyRevocations } from './key-revocations.js';
export { KeyUsage } from './key-usage.js';
export { KeyVerifier } from './key-verifier.js';
export { AddressNotAllowedError, InvalidKeyError } from './keys.errors.js';
export { KeysModule } from './keys.module.js';
export { KeysService, type MadeKey, type PreparedKey } from './keys.service.js';
export { mayBeUsedFrom, principalOf, type VerifiedKey } from './verified-key.js';
