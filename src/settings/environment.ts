import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';

/**
 * The environment of the process, completed by the file `.env` of the working directory; what is set already
 * stays as it is.
 */
export function environment(): NodeJS.ProcessEnv {
  const file = resolve('.env');
  if (existsSync(file)) loadEnvFile(file);
  return process.env;
}
