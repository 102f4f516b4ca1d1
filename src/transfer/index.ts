export { TransferError } from './transfer.errors.js';
export { TransferProgress } from './transfer-progress.js';
export { transfer } from './transfer.js';
