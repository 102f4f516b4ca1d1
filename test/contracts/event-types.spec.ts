import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file that exists only in memory. It declares a further event type. */
const FIXTURE = join(ROOT, 'src/execution-events/escalated.fixture.ts');
const TEXT = `
declare module './event.js' {
  interface EventDataByType {
    'workflow.node.escalated': {
      readonly node_id: string;
      readonly node_type: string;
      readonly iteration?: number;
      readonly iteration_of?: string;
      readonly status: 'waiting';
    };
  }
}
export {};
`;

/** What the compiler rejects in `src` because of the fixture: each file, with its text from the rejected position. */
function refusals(): readonly (readonly [file: string, text: string])[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as {
    readonly config: unknown;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const sources = fileNames.filter((file) => file.includes('/src/') && !file.endsWith('.spec.ts'));
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => file === FIXTURE || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === FIXTURE ? ts.createSourceFile(file, TEXT, rest[0]) : getSourceFile(file, ...rest);
  const program = ts.createProgram([...sources, FIXTURE], { ...options, noEmit: true }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, start }) => [
      file?.fileName.slice(ROOT.length) ?? '',
      file?.text.slice(start).split('\n', 1)[0]?.trim() ?? '',
    ]);
}

it('makes the compiler report each place that must handle a new event type, without changing any read model', () => {
  expect(Object.fromEntries(refusals())).toEqual({
    // The compiler requires a version of the new event type.
    'src/execution-events/event.ts': expect.stringMatching(/^EVENT_VERSIONS/),
    // The compiler requires that this switch handles the new event type, because it is exhaustive.
    'src/execution-events/transition.ts': 'event);',
    // The compiler requires a JSON Schema of the new event type for clients.
    'src/asyncapi/event-schemas.ts': expect.stringMatching(/^EVENT_DATA_SCHEMAS/),
    // The compiler requires the new event type in the TypeScript client, because this command filters by the types of
    // the client.
    'src/cli/watch.command.ts': expect.stringMatching(/^filter/),
  });
});
