import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file that exists only in memory. It adds an event type to those of the service. */
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

/** Places in `src` that the compiler rejects because of the fixture: the file, and its text from that position. */
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
    // The version of the event type.
    'src/execution-events/event.ts': expect.stringMatching(/^EVENT_VERSIONS/),
    // The meaning of the event: the default case of the exhaustive switch over node events.
    'src/execution-events/transition.ts': 'event);',
    // The JSON Schema of the event on the wire.
    'src/asyncapi/event-schemas.ts': expect.stringMatching(/^EVENT_DATA_SCHEMAS/),
    // The TypeScript client's event types, by which this command filters.
    'src/cli/watch.command.ts': expect.stringMatching(/^filter/),
  });
});
