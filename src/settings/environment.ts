import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';

/** The environment of the process, and the variables of the file `.env`. The environment takes precedence. */
export function environment(): NodeJS.ProcessEnv {
  const file = resolve('.env');
  if (existsSync(file)) loadEnvFile(file);
  return process.env;
}
