import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser for page tests: `TEST_CHROMIUM`, else an installed one. */
export const CHROMIUM = process.env['TEST_CHROMIUM'] ?? PLACES.find(existsSync) ?? 'chromium';
