export { builtFolder } from './built-folder.js';
export { sendFile } from './send-file.js';
export { type StaticFile, StaticFiles } from './static-files.js';
