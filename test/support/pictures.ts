import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { expect } from 'vitest';

const BASELINES = join('test', 'dashboard', 'baselines');
/** Directory for screenshots that differ from their baseline, and for pictures of the differences. */
const OUT = join('coverage', 'dashboard');
const MADE_BY = join(BASELINES, 'chromium.json');
/**
 * Allowed difference of a pixel's color, from 0 to 1. It is not 0, because font smoothing differs between machines.
 */
const THRESHOLD = 0.2;
/** Maximum share of differing pixels if the same version of the browser made both pictures. */
const SAME_BROWSER = 0.004;
/**
 * Maximum share of differing pixels if another major version of the browser made the baseline. That version lays out
 * text differently. Only missing or misplaced elements cause larger differences.
 */
const OTHER_BROWSER = 0.05;

/**
 * Compares a screenshot with its baseline. If `UPDATE_BASELINES=1` is set, it replaces the baseline instead.
 * @param major major version of the Chromium that made the screenshot
 */
export function looksAsBefore(name: string, picture: Buffer, major: number): void {
  const path = join(BASELINES, `${name}.png`);
  if (process.env['UPDATE_BASELINES'] === '1') {
    mkdirSync(BASELINES, { recursive: true });
    writeFileSync(path, picture);
    writeFileSync(MADE_BY, `${JSON.stringify({ major })}\n`);
    return;
  }
  expect(existsSync(path), `the baseline ${path} exists (UPDATE_BASELINES=1 creates it)`).toBe(true);
  const wanted = PNG.sync.read(readFileSync(path));
  const actual = PNG.sync.read(picture);
  expect([actual.width, actual.height], `size of ${name}`).toEqual([wanted.width, wanted.height]);
  const diff = new PNG({ width: wanted.width, height: wanted.height });
  const { width, height } = wanted;
  const different = pixelmatch(wanted.data, actual.data, diff.data, width, height, { threshold: THRESHOLD });
  const made = JSON.parse(readFileSync(MADE_BY, 'utf8')) as { readonly major: number };
  const allowed = made.major === major ? SAME_BROWSER : OTHER_BROWSER;
  const share = different / (width * height);
  if (share <= allowed) return;
  mkdirSync(OUT, { recursive: true });
  writeFileSync(join(OUT, `${name}-actual.png`), picture);
  writeFileSync(join(OUT, `${name}-diff.png`), PNG.sync.write(diff));
  expect.fail(
    `${name} differs in ${(share * 100).toFixed(2)} % of its pixels, ${allowed * 100} % may; see ${OUT}/${name}-diff.png. ` +
      'If it is meant to look so, UPDATE_BASELINES=1 keeps it.',
  );
}
