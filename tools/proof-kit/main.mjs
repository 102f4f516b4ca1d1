/** Checks the version of Node.js before it loads main.ts, because older versions cannot run TypeScript. */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const least = engines.node.replace('>=', '');
if (process.versions.node.localeCompare(least, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `The proof kit needs Node.js ${least} or newer; this is ${process.versions.node}. "npm run proof" installs its own.\n`,
  );
  process.exit(1);
}
await import('./main.ts');
