import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';

/**
 * The environment of the process, plus the file `.env` of the working directory. Variables that are already set win.
 */
export function environment(): NodeJS.ProcessEnv {
  const file = resolve('.env');
  if (existsSync(file)) loadEnvFile(file);
  return process.env;
}
