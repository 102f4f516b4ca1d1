import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser that runs the dashboard tests: `TEST_CHROMIUM` if set, else an installed Chromium. */
export const CHROMIUM = process.env['TEST_CHROMIUM'] ?? PLACES.find(existsSync) ?? 'chromium';
