import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, EXECUTION_STATUSES } from '../../src/execution-events/index.js';
import { SETTING_NAMES } from '../../src/settings/index.js';

const ROOT = new URL('../../', import.meta.url);
const glossary = readFileSync(new URL('docs/glossary.md', ROOT), 'utf8');
const rooms = readdirSync(new URL('src/', ROOT), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** All texts in backticks in docs/glossary.md. */
const named = new Set([...glossary.matchAll(/`([^`]+)`/g)].map(([, word]) => word));
/** Rows of the tables in docs/glossary.md. Each row has a term, its meaning and its rooms (folders of `src`). */
const rows = [...glossary.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]
  .map(([, ...cells]) => cells.map((cell) => cell.trim()))
  .filter(([term]) => term !== 'term' && !term?.startsWith('-'));

describe('docs/glossary.md', () => {
  it.each([
    ['room', rooms],
    ['event type', EVENT_TYPES],
    ['setting', SETTING_NAMES],
    ['status', EXECUTION_STATUSES],
  ] as const)('docs/glossary.md contains every name of this kind: %s', (_, names) => {
    expect(names.filter((name) => !named.has(name))).toEqual([]);
  });

  it('docs/glossary.md lists each term only once, and names only rooms that are folders of src', () => {
    expect(rows.length).toBeGreaterThan(55);
    const terms = rows.map(([term]) => term);
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
    const places = rows.flatMap(([, , place = '']) =>
      [...place.matchAll(/`([^`]+)`/g)].map(([, room]) => room),
    );
    expect(places.filter((place) => !rooms.includes(place ?? ''))).toEqual([]);
  });
});
