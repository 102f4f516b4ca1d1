import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';

/**
 * Returns the environment variables of the process and the variables in the file `.env`. The environment takes
 * precedence over the file.
 */
export function environment(): NodeJS.ProcessEnv {
  const file = resolve('.env');
  if (existsSync(file)) loadEnvFile(file);
  return process.env;
}
