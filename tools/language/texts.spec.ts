import { describe, expect, it } from 'vitest';
import { paragraphsOf, textsOfSource } from './texts.js';

function texts(source: string, file = 'src/a.ts'): readonly string[] {
  return textsOfSource(file, source).map(({ kind, line, text }) => `${line} ${kind}: ${text}`);
}

describe('textsOfSource', () => {
  it('`textsOfSource` joins line comments and strips the stars of block comments', () => {
    expect(
      texts(
        '/**\n * Returns the lease,\n * in seconds.\n */\n// A first line,\n// and a second one.\nconst a = 1;',
      ),
    ).toEqual(['1 comment: Returns the lease, in seconds.', '5 comment: A first line, and a second one.']);
  });

  it('`textsOfSource` returns the symbol of comments and messages, but not of test names', () => {
    const source = `class Lease {\n /** Renews the lease. */\n renew() { throw new Error('The lease is lost.'); } }`;
    expect(textsOfSource('src/a.ts', source).map(({ symbol }) => symbol)).toEqual([
      'Lease.renew',
      'Lease.renew',
    ]);
    const spec = "const tests = () => { it('renews its lease every 5 s', () => {}); };";
    expect(textsOfSource('src/a.spec.ts', spec).map(({ symbol }) => symbol)).toEqual(['']);
  });

  it('`textsOfSource` finds no comments in strings, patterns and JSX text', () => {
    expect(texts('const a = "https://example.com/path"; const b = /\\/\\/ no comment here/;')).toEqual([]);
    expect(texts('const a = <p>See http://example.com // now</p>;', 'dashboard/src/a.tsx')).toEqual([
      '1 interface text: See http://example.com // now',
    ]);
  });

  it('`textsOfSource` extracts names of tests, but not of suites', () => {
    const source = `describe('a room', () => {
      it('renews its lease every 5 s', () => {});
      it.each([1])('refuses %s as a limit', () => {});
      it.skipIf(no)('runs on PostgreSQL only', () => {});
    });`;
    expect(texts(source, 'src/a.spec.ts')).toEqual([
      '2 test name: renews its lease every 5 s',
      '3 test name: refuses %s as a limit',
      '4 test name: runs on PostgreSQL only',
    ]);
  });

  it('`textsOfSource` extracts messages of errors, with the names of template values', () => {
    const source = `class LostError extends Error {
      constructor(id: string) { super(404, 'lost', id === '' ? 'The lease is lost.' : \`The lease \${id} is lost.\`); }
    }
    throw new Error('The file is missing.');`;
    expect(texts(source)).toEqual([
      '2 error message: The lease is lost.',
      '2 error message: The lease {id} is lost.',
      '4 error message: The file is missing.',
    ]);
  });

  it('`textsOfSource` ignores messages of errors that consist only of template values', () => {
    expect(texts('throw new Error(`${what}: ${cause.message}.`);')).toEqual([]);
  });

  it('`textsOfSource` extracts the whole message of an error whose text is concatenated', () => {
    const source = "throw new Error(`The lease ${id} is lost ` + reason + '. Claim it again.');";
    expect(texts(source)).toEqual(['1 error message: The lease {id} is lost {reason}. Claim it again.']);
  });

  it.each([
    ['this.status', '{status}'],
    ['quoted(status)', '{status}'],
    ["statuses.join(', ')", '{statuses}'],
    ['timeoutMs / 1_000', '{timeoutMs}'],
    ['ready ? 1 : 2', '…'],
    ["n === 1 ? 'one fire' : `${n} fires`", '{n} fires'],
    ['error instanceof Error ? error.message : String(error)', '{error}'],
    ['(await ids[0])', '{ids}'],
  ])('`textsOfSource` shows the template value `%s` as %s', (value, shown) => {
    expect(texts('throw new Error(`The value is ${' + value + '}.`);')).toEqual([
      `1 error message: The value is ${shown}.`,
    ]);
  });

  it('`textsOfSource` shows a message about a field with the name of the field', () => {
    expect(texts("throw new InvalidFieldError('name', 'must not be empty');")).toEqual([
      '1 error message: name: must not be empty',
    ]);
    expect(texts('throw new InvalidFieldError(FIELD, `must have ${MAX} characters`);')).toEqual([
      '1 error message: {FIELD}: must have {MAX} characters',
    ]);
    expect(texts("throw new LostError('lease-1', 'The lease is lost.');")).toEqual([
      '1 error message: The lease is lost.',
    ]);
  });

  it('`textsOfSource` extracts all phrases of the catalogs of the dashboard', () => {
    const catalog =
      "import { rich } from '../rich.ts'; const texts = { saved: (name: string) => `${name} was saved.` };";
    expect(texts(catalog, 'dashboard/src/texts/en/keys.ts')).toEqual(['1 interface text: {name} was saved.']);
  });

  it('`textsOfSource` completes the noun of a NotFoundError to its message', () => {
    const source = `class FileNotFoundError extends NotFoundError { constructor() { super('dashboard file'); } }
      throw new NotFoundError('saved view', id);`;
    expect(texts(source)).toEqual([
      '1 error message: The dashboard file does not exist.',
      '2 error message: The saved view does not exist.',
    ]);
  });

  it('`textsOfSource` puts the name of a field or command before its description', () => {
    expect(
      texts(`class Body { @ApiProperty({ description: 'Any JSON value.' }) input: Json; }
      const schema = { seconds: nullable({ description: 'Time to wait.' }) };
      const command = { name: 'apply', description: 'Create a workflow' };
      const node = { outputSchema: { type: 'object', description: 'The new state.' } };`),
    ).toEqual([
      '1 interface text: input: Any JSON value.',
      '2 interface text: seconds: Time to wait.',
      '3 interface text: apply: Create a workflow',
      '4 interface text: output: The new state.',
    ]);
  });

  it('`textsOfSource` puts the operation and status before the description of a response', () => {
    const source = `class Controller {
      @ApiOperation({ summary: 'Pause an execution' })
      @ApiAnswers({ 200: { description: 'The execution.' } })
      pause(): void {}
    }`;
    expect(texts(source)).toEqual([
      '2 interface text: Pause an execution',
      '3 interface text: Pause an execution, response 200: The execution.',
    ]);
  });

  it('`textsOfSource` extracts no interface texts from examples, tests and benchmarks', () => {
    expect(texts("ApiBody({ examples: { example: { description: 'Says hello.' } } });")).toEqual([]);
    const data = "const workflow = { description: 'Says hello, politely.' };";
    expect(texts(data, 'tools/bench/a.ts')).toEqual([]);
    expect(texts(data, 'test/a.ts')).toEqual([]);
  });

  it('`textsOfSource` finds interface texts by their property or attribute', () => {
    expect(texts("ApiOperation({ summary: 'List every key', operationId: 'not a sentence' })")).toEqual([
      '1 interface text: List every key',
    ]);
    expect(
      texts('const a = <Field label="Name of the key" className="flex grow" />;', 'dashboard/src/a.tsx'),
    ).toEqual(['1 interface text: Name of the key']);
  });
});

describe('paragraphsOf', () => {
  it('`paragraphsOf` extracts paragraphs and list items, but no headings, tables or code', () => {
    const long = 'A sentence that is long enough to be a paragraph of its own here.';
    const document = `# Title of the page\n\n${long}\n${long}\n\n- ${long}\n- ${long}\n\n| a | b |\n\n\`\`\`sh\n${long}\n\`\`\`\n`;
    expect(paragraphsOf('a.md', document).map(({ line, text }) => `${line} ${text}`)).toEqual([
      `3 ${long} ${long}`,
      `6 - ${long}`,
      `7 - ${long}`,
    ]);
  });

  it('`paragraphsOf` returns the heading above each paragraph', () => {
    const long = 'A sentence that is long enough to be a paragraph of its own here.';
    const document = `# Title\n\n${long}\n\n## Limits\n\n\`\`\`sh\n# a comment\n\`\`\`\n\n- ${long}\n`;
    expect(paragraphsOf('a.md', document).map(({ symbol }) => symbol)).toEqual(['Title', 'Limits']);
  });
});
