import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('files for newcomers', () => {
  it.each(['llms.txt', 'SECURITY.md', 'README.md', 'CONTRIBUTING.md'])(
    '%s links only to files that exist',
    (file) => {
      const targets = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
        ([, target = '']) => target,
      );
      expect(targets.length).toBeGreaterThan(0);
      expect(targets.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([]);
    },
  );

  it('llms.txt names every docs page that README.md links', () => {
    const text = readFileSync('llms.txt', 'utf8');
    const pages = [...readFileSync('README.md', 'utf8').matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(
      ([, page = '']) => page,
    );
    expect([...new Set(pages)].filter((page) => !text.includes(page))).toEqual([]);
  });

  it('the development container has the same major version of Node.js as the project', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly devDependencies: { readonly node: string };
    };
    const { image } = JSON.parse(readFileSync('.devcontainer/devcontainer.json', 'utf8')) as {
      readonly image: string;
    };
    expect(image).toContain(`typescript-node:${devDependencies.node.split('.')[0]}-`);
  });

  it.each([
    'README.md',
    'examples/README.md',
    'docs/cli.md',
    'docs/security.md',
    'clients/typescript/README.md',
  ])(
    '%s uses the name WORKFLOW_API_KEY, and no other, for the environment variable of the API key',
    (file) => {
      const names = [...readFileSync(file, 'utf8').matchAll(/\b(?:WORKFLOW_|API_|WFS_)?(?:API_)?KEY\b/g)];
      expect(new Set(names.map(([name]) => name))).toEqual(new Set(['WORKFLOW_API_KEY']));
    },
  );
});
