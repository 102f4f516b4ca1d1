import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser for dashboard tests: `TEST_CHROMIUM`, or else an installed Chromium. */
export const CHROMIUM = process.env['TEST_CHROMIUM'] ?? PLACES.find(existsSync) ?? 'chromium';
