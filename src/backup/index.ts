export { BackupError } from './backup.errors.js';
export { replaceDatabase } from './replace-database.js';
export { checkCopy, writeCopy } from './sqlite-copy.repository.js';
