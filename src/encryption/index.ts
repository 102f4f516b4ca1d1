export { Encryption } from './encryption.js';
export { EncryptionModule } from './encryption.module.js';
