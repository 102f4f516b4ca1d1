import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSourceFile, isExportDeclaration, isNamedExports, ScriptTarget } from 'typescript';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');
const MAX_NAMES = 40;
const MAX_PRODUCTION_LINES = 3_300;

/** Rooms (folders of `src`) without an index.ts. `cli` needs none, because no other room imports it. */
const WITHOUT_INDEX = ['cli'];

const rooms = readdirSync(SOURCE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * Returns the names that an index.ts exports, including types.
 * @throws Error if the index.ts contains anything but named exports
 */
function exportedNames(text: string): readonly string[] {
  return createSourceFile('index.ts', text, ScriptTarget.Latest).statements.flatMap((statement) => {
    if (!isExportDeclaration(statement) || !statement.exportClause || !isNamedExports(statement.exportClause))
      throw new Error('An index.ts has named exports of siblings only.');
    return statement.exportClause.elements.map(({ name }) => name.text);
  });
}

function productionLines(room: string): number {
  return readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:spec|fake|fixture)\.ts$/.test(file))
    .map(
      (file) =>
        readFileSync(join(SOURCE, room, file), 'utf8')
          .trimEnd()
          .split('\n').length,
    )
    .reduce((sum, lines) => sum + lines, 0);
}

describe('exportedNames', () => {
  it('`exportedNames` returns the names of exported values and types, and the new names of renamed exports', () => {
    const text = "export { a, type B, c as d } from './x.js';\nexport type { E } from './y.js';\n";
    expect(exportedNames(text)).toEqual(['a', 'B', 'd', 'E']);
  });

  it('`exportedNames` rejects an index.ts with `export *`', () => {
    expect(() => exportedNames("export * from './x.js';")).toThrow('named exports');
  });
});

it.each(rooms.filter((room) => !WITHOUT_INDEX.includes(room)))(
  `the index.ts of src/%s exports at most ${MAX_NAMES} names`,
  (room) => {
    const index = readFileSync(join(SOURCE, room, 'index.ts'), 'utf8');
    expect(exportedNames(index).length).toBeLessThanOrEqual(MAX_NAMES);
  },
);

it.each(rooms)(`the folder src/%s has at most ${MAX_PRODUCTION_LINES} lines of production code`, (room) => {
  expect(productionLines(room)).toBeLessThanOrEqual(MAX_PRODUCTION_LINES);
});
