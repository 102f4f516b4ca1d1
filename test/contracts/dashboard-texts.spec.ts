import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { visibleLiterals } from '../support/visible-literals.js';

const SOURCES = join('dashboard', 'src');
/** String literals of the dashboard that need no translation. */
const NO_TEXTS: readonly RegExp[] = [
  // Names of products, files, time zones, algorithms, HTTP headers and keyboard keys.
  /^(?:UTC|Node\.js|openapi\.json|Edge|Firefox|Chrome|Safari)$/,
  /^(?:SHA-\d+|sha256=|Hex|Base64|X-Signature|Authorization|Bearer)$/,
  /^(?:Tab|Ctrl (?:Shift )?[A-Z])$/,
  // Sample names, URLs, cron expressions, CEL expressions and commands.
  /^(?:ci-prod|order-fulfillment|payment_received|[A-Z]+_[A-Z]+|https:\/\/example\.com\S*|0 9 \* \* MON-FRI)$/,
  /^(?:order-)?\{\{ [\w.]+ \}\}$/,
  /^(?:curl|\\) .*-H /,
  // Signatures of functions of the expression language, such as `name(value)`.
  /^\w+\([a-z]+, [a-z?, ]+\)$/,
  // JavaScript code in the workflow of the order demo.
  /^(?:console\.log\('Reading the order'\); )?return \{ /,
  // CSS selectors, and names of syntax tree nodes.
  /^input, textarea, select$/,
  /^(?:Object|Property)$/,
];

it('the check for hard-coded texts finds literals in JSX, attributes, table columns and function calls', () => {
  const source = `
    const columns = [{ id: 'role', header: 'Role' }, { id: 'age', header: 'age' }];
    const why = isOver ? 'The execution has ended.' : undefined;
    const page = (
      <Field label="Name" hint={\`Use at most \${limit} characters.\`} className="flex gap-2">
        <p>Nothing yet</p>
        <code>npm start</code>
        <Fact name="Last run" />
        {count(total, 'item')}
        {status === 'Done' ? 'Finished' : null}
      </Field>
    );`;
  expect(visibleLiterals('page.tsx', source)).toEqual([
    { line: 2, text: 'Role' },
    { line: 2, text: 'age' },
    { line: 3, text: 'The execution has ended.' },
    { line: 5, text: 'Name' },
    { line: 5, text: 'Use at most … characters.' },
    { line: 6, text: 'Nothing yet' },
    { line: 8, text: 'Last run' },
    { line: 9, text: 'item' },
    { line: 10, text: 'Finished' },
  ]);
});

it('the dashboard takes every visible text from a catalog in `dashboard/src/texts`', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.spec)\.tsx?$/.test(file) && !file.startsWith('texts'),
  );
  expect(files.length).toBeGreaterThan(100);
  const literals = files.flatMap((file) =>
    visibleLiterals(file, readFileSync(join(SOURCES, file), 'utf8'))
      .filter(({ text }) => !NO_TEXTS.some((pattern) => pattern.test(text)))
      .map(({ line, text }) => `${join(SOURCES, file)}:${line}: "${text}"`),
  );
  expect(literals).toEqual([]);
});
