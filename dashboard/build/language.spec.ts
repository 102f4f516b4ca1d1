import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { translated } from './language.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'translation-'));
  for (const [file, text] of [
    ['index.html', '<html lang="en"><script type="module" src="/src/main.ts"></script></html>'],
    [
      'src/main.ts',
      `import { texts as login } from './texts/en/login.ts';
       import { texts as about } from './texts/en/about.ts';
       document.title = login.signIn + about.version;`,
    ],
    ['src/texts/en/login.ts', `export const texts = { signIn: 'Sign in', password: 'Password' };`],
    ['src/texts/en/about.ts', `export const texts = { version: 'Version' };`],
    [
      'src/texts/de/login.ts',
      `import type { texts as english } from '../en/login.ts';
       export const texts: typeof english = { signIn: 'Anmelden', password: 'Passwort' };`,
    ],
  ] as const) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});

afterAll(() => rmSync(root, { recursive: true }));

it('a build in another language contains English texts where a translation is missing', async () => {
  const built = await files('de');
  expect(built).toContain('<html lang="de">');
  expect(built).toContain('Anmelden');
  expect(built).not.toContain('Sign in');
  expect(built).toContain('Version');
});

it('an English build contains no text of another language', async () => {
  const built = await files('en');
  expect(built).toContain('<html lang="en">');
  expect(built).toContain('Sign in');
  expect(built).not.toContain('Anmelden');
});

/**
 * Builds the test site in the given language.
 * @returns the contents of all built files as one text
 */
async function files(language: string): Promise<string> {
  const outDir = join(root, 'dist', language);
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [translated(language)],
    build: { outDir },
  });
  return readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');
}
