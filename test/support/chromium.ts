import { existsSync } from 'node:fs';

const FULL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const HEADLESS = ['/usr/bin/chromium-headless-shell'];

/** The browser that `TEST_CHROMIUM` names, or else the first installed one. */
function browserOf(paths: readonly string[]): string {
  return process.env['TEST_CHROMIUM'] ?? paths.find((path) => existsSync(path)) ?? 'chromium';
}

/**
 * Path of the browser for tests. The headless shell comes first, because it needs 40 % less processor time than
 * Chromium.
 */
export const CHROMIUM = browserOf([...HEADLESS, ...FULL]);

/** Path of the browser for baseline pictures. The headless shell would draw texts slightly differently. */
export const PICTURE_CHROMIUM = browserOf(FULL);
