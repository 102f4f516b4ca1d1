import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const document = readFileSync(new URL('ARCHITECTURE.md', ROOT), 'utf8');

interface Rule {
  readonly name: string;
  readonly comment?: string;
}

/** Returns the rooms (folders of `src`) that each room may import, according to `.dependency-cruiser.mjs`. */
async function rules(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { default: config } = (await import(new URL('.dependency-cruiser.mjs', ROOT).href)) as {
    readonly default: { readonly forbidden: readonly Rule[] };
  };
  const rooms = new Map<string, readonly string[]>();
  for (const { name, comment = '' } of config.forbidden) {
    if (!name.startsWith('room-')) continue;
    const [, allowed = ''] = / may import (.*)\.$/.exec(comment) ?? [];
    rooms.set(name.slice('room-'.length), allowed === 'no other room' ? [] : distinct(allowed.split(', ')));
  }
  return rooms;
}

/**
 * Returns the rooms that each room may import, according to the table in ARCHITECTURE.md. Each named group is replaced
 * by its rooms.
 */
function table(): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  const expanded = (words: string): readonly string[] =>
    distinct(words.split(/,\s+/).flatMap((word) => groups.get(word) ?? [word]));
  for (const [, name = '', members = ''] of document.matchAll(/(_[a-z]+_)\s+is\s+([^.]+)\./g))
    groups.set(name, expanded(members));
  const [, rows = ''] = /\| room +\|[^\n]*\n\| -[^\n]*\n((?:\|[^\n]*\n)+)/.exec(document) ?? [];
  return new Map(
    rows
      .trim()
      .split('\n')
      .flatMap((row) => {
        const [, rooms = '', , allowed = ''] = row.split('|').map((cell) => cell.trim());
        return rooms
          .split(', ')
          .map((room) => [room, allowed === 'nothing' ? [] : expanded(allowed)] as const);
      }),
  );
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort();
}

describe('ARCHITECTURE.md', () => {
  it('ARCHITECTURE.md lists the same allowed imports between the folders of src as .dependency-cruiser.mjs', async () => {
    expect(Object.fromEntries(table())).toEqual(Object.fromEntries(await rules()));
  });

  it('ARCHITECTURE.md has at most 150 lines', () => {
    expect(document.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('ARCHITECTURE.md names only files that exist', () => {
    const files = ['src', 'migrations'].flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' }).map(
        (path) => `/${folder}/${path.replaceAll('\\', '/')}`,
      ),
    );
    const named = [...document.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  it('ARCHITECTURE.md links only to existing decision records, and docs/adr/README.md lists every record', () => {
    const decisions = readdirSync(new URL('docs/adr/', ROOT)).filter((name) => /^\d{4}-/.test(name));
    const linked = [...document.matchAll(/docs\/adr\/(\d{4}-[a-z0-9-]+\.md)/g)].map(([, name]) => name);
    expect(decisions).toEqual(expect.arrayContaining(linked));
    const index = readFileSync(new URL('docs/adr/README.md', ROOT), 'utf8');
    expect(
      distinct([...index.matchAll(/\]\((\d{4}-[a-z0-9-]+\.md)\)/g)].map(([, name = '']) => name)),
    ).toEqual(distinct(decisions));
  });
});
