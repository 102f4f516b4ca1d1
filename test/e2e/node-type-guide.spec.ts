import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PluginFolder } from '../support/plugin-folder.js';

it('the example in docs/adding-a-node-type.md compiles and passes its own tests', () => {
  const guide = readFileSync('docs/adding-a-node-type.md', 'utf8');
  const blocks = [...guide.matchAll(/```ts\n\/\/ file: (\S+)\n([^]*?)```/g)];
  expect(blocks.map(([, path]) => path)).toEqual([
    'src/charge.node.ts',
    'src/bank.ts',
    'src/plugin.ts',
    'src/charge.node.spec.ts',
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'workflow-guide-'));
  try {
    for (const [, path = '', code = ''] of blocks) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    for (const file of ['package.json', 'tsconfig.json'])
      writeFileSync(join(folder, file), readFileSync(join('examples/plugins/text-tools', file)));
    const made = new PluginFolder(folder);
    made.compile();
    made.test();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
