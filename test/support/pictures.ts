import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { expect } from 'vitest';

const BASELINES = join('test', 'dashboard', 'baselines');
/** Directory to which a failed comparison writes the screenshot and a picture of the differences. */
const OUT = join('coverage', 'dashboard');
const MADE_BY = join(BASELINES, 'chromium.json');
/** Allowed difference of the color of a pixel, from 0 to 1. It is not 0, because machines smooth fonts differently. */
const THRESHOLD = 0.2;
/** Maximum share of different pixels if the same browser version took the screenshot and the baseline. */
const SAME_BROWSER = 0.004;
/**
 * Maximum share of different pixels if another browser version took the baseline. Browser versions place text
 * differently, but only missing or misplaced elements cause larger differences.
 */
const OTHER_BROWSER = 0.05;

/** Halves the width and the height of a screenshot, because its baseline then has a quarter of the bytes. */
export function halved(picture: Buffer): Buffer {
  const whole = PNG.sync.read(picture);
  const [width, height] = [Math.floor(whole.width / 2), Math.floor(whole.height / 2)];
  const half = new PNG({ width, height });
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 4; channel += 1) {
        const at = (right: number, down: number): number =>
          whole.data[((2 * y + down) * whole.width + 2 * x + right) * 4 + channel] ?? 0;
        half.data[(y * width + x) * 4 + channel] = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
      }
  return PNG.sync.write(half, { colorType: 2, deflateLevel: 9 });
}

/**
 * Fails if a screenshot differs from its baseline. If `UPDATE_BASELINES=1` is set, replaces the baseline instead.
 * @param major major version of the Chromium that took the screenshot
 */
export function looksAsBefore(name: string, picture: Buffer, major: number): void {
  const path = join(BASELINES, `${name}.png`);
  if (process.env['UPDATE_BASELINES'] === '1') {
    mkdirSync(BASELINES, { recursive: true });
    writeFileSync(path, picture);
    writeFileSync(MADE_BY, `{ "major": ${major} }\n`);
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
