import type { Page } from 'playwright-core';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;
const DAY_MS = 86_400_000;
/** Matches the names of response fields that contain a measured number. */
const MEASURED = /(?:_ms|_bytes|^load|^oldest_seconds|^delay_seconds|^lag_events|^max_lag_events)$/;
/** Fixed values for response fields that contain random text or the address of the service. */
const TEXTS: Readonly<Record<string, string>> = {
  prefix: 'wfk_Ab3d',
  last_four: 'x2Kd',
  url_prefix: 'http://127.0.0.1:3000/hooks/whk_Ab3d',
  host: 'worker-1',
};

const fixedId = (kind: string, index: number): string =>
  `0199a8c0-5b5e-77e8-${kind}-${(index + 0xc0ffee00).toString(16).padStart(12, '0')}`;

/**
 * Replaces ids, times, measured numbers and random texts in responses of the service, because they would differ in each
 * screenshot.
 * @param ids ids that pages use in requests, in a fixed order
 * @param begin time that replaces all times of today, in epoch milliseconds; the page's clock shows one minute later
 */
export async function fixResponses(page: Page, ids: readonly string[], begin: number): Promise<void> {
  const fixed = new Map(ids.map((id, index) => [id, fixedId('abe9', index)]));
  const real = new Map([...fixed].map(([id, other]) => [other, id]));
  await page.clock.setFixedTime(begin + 60_000);
  await page.route('**/v1/**', async (route) => {
    const url = route.request().url();
    const response = await route.fetch({ url: url.replaceAll(UUID, (id) => real.get(id) ?? id) });
    const text = await response.text();
    if (response.headers()['content-type']?.includes('json') !== true) return route.fulfill({ response });
    const others = [...new Set(text.match(UUID))].filter((id) => !fixed.has(id));
    const renamed = text.replaceAll(UUID, (id) => fixed.get(id) ?? fixedId('abe8', others.indexOf(id)));
    const body: unknown = JSON.parse(renamed, (key, value: unknown) => fixedValue(key, value, begin));
    return route.fulfill({ response, body: JSON.stringify(body) });
  });
}

/** Replaces the ids in the path of a page by the ids that `fixResponses` uses for the same objects. */
export function fixedPath(path: string, ids: readonly string[]): string {
  return path.replaceAll(UUID, (id) => (ids.includes(id) ? fixedId('abe9', ids.indexOf(id)) : id));
}

function fixedValue(key: string, value: unknown, begin: number): unknown {
  if (typeof value === 'number') return MEASURED.test(key) ? 12 : value;
  if (key === 'tables' && Array.isArray(value))
    return value.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1));
  if (typeof value !== 'string') return value;
  if (Object.hasOwn(TEXTS, key)) return TEXTS[key];
  if (!ISO_TIME.test(value)) return value;
  const days = Math.trunc((Date.parse(value) - Date.now()) / DAY_MS);
  return new Date(begin + days * DAY_MS).toISOString();
}
