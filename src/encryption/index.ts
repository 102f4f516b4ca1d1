export { Encryption } from './encryption.js';
export { EncryptionModule } from './encryption.module.js';
export { SealedColumn, type SealedColumnDescription, sealedColumns } from './sealed-columns.js';
