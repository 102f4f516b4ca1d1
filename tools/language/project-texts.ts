import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paragraphsOf, type ReadText, textsOfSource } from './texts.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCE = /^(?:src|test|dashboard\/(?:src|build)|tools|migrations)\/.+\.(?:ts|tsx|mjs)$/;
const DOCUMENT =
  /^(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY|docs\/.+|examples\/.+|src\/.+|tools\/.+|clients\/[^/]+\/[^/]+)\.md$/;
/**
 * Files whose texts are not collected: tests of the check for forbidden phrases, which contain such phrases on purpose.
 */
const LEFT_OUT = /^tools\/language\/[a-z-]+\.spec\.ts$/;

/** Returns all texts of the Git repository that people read: comments, test names, messages and documents. */
export function projectTexts(): readonly ReadText[] {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  return files
    .filter((file) => !LEFT_OUT.test(file))
    .flatMap((file) => {
      if (SOURCE.test(file)) return textsOfSource(file, readFileSync(join(ROOT, file), 'utf8'));
      return DOCUMENT.test(file) ? paragraphsOf(file, readFileSync(join(ROOT, file), 'utf8')) : [];
    });
}
