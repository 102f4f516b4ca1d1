import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A source file that exists only in memory. The file declares a new event type. */
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

/**
 * Compiles `src` with the new event type.
 * @returns the errors: each file, with its source text from the position of the error
 */
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

it('a new event type causes compile errors only where code must handle every event type', () => {
  expect(Object.fromEntries(refusals())).toEqual({
    // The code must define a version for each event type.
    'src/execution-events/event.ts': expect.stringMatching(/^EVENT_VERSIONS/),
    // The `switch` in this file must handle every event type.
    'src/execution-events/transition.ts': 'event);',
    // The AsyncAPI document must contain a JSON Schema of each event type.
    'src/asyncapi/event-schemas.ts': expect.stringMatching(/^EVENT_DATA_SCHEMAS/),
    // The command `watch` filters by the event types of the TypeScript client, so the client must know each event type.
    'src/cli/watch.command.ts': expect.stringMatching(/^filter/),
  });
});
