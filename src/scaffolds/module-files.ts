import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Files } from './files.js';
import type { ModuleName } from './module-name.js';

/** Names in the example plug-in that are replaced by the names of the new module. */
const EXAMPLE = { plural: 'notes', singular: 'note', timestamp: '1764000000000' };

const NOT_COPIED = /(?:^|[\\/])(?:node_modules|dist|package-lock\.json)(?:$|[\\/])/;

/**
 * Creates the files of a module from copies of the files in `examples/plugins/notes`.
 *
 * @param example folder of the example
 * @param servicePath path from the module's folder to the service's folder, with slashes
 * @param now epoch milliseconds, for the name of the first migration
 * @returns undefined if the example is not installed
 */
export function moduleFiles(
  example: string,
  name: ModuleName,
  servicePath: string,
  now: number,
): Files | undefined {
  if (!existsSync(example)) return undefined;
  const paths = readdirSync(example, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(example, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !NOT_COPIED.test(path));
  const files: [string, string][] = paths.map((path) => [
    renamed(path, name, now),
    renamed(readFileSync(join(example, path), 'utf8'), name, now),
  ]);
  return {
    ...Object.fromEntries(files),
    'package.json': manifest(readFileSync(join(example, 'package.json'), 'utf8'), name, servicePath),
    'README.md': readme(name),
    '.gitignore': 'dist\nnode_modules\n',
  };
}

function renamed(text: string, { plural, singular }: ModuleName, now: number): string {
  return text
    .replaceAll(EXAMPLE.timestamp, String(now))
    .replaceAll(EXAMPLE.plural, plural)
    .replaceAll(capital(EXAMPLE.plural), capital(plural))
    .replaceAll(EXAMPLE.singular, singular)
    .replaceAll(capital(EXAMPLE.singular), capital(singular));
}

function manifest(text: string, name: ModuleName, servicePath: string): string {
  const example = JSON.parse(text) as { readonly devDependencies: Readonly<Record<string, string>> };
  const own = {
    ...example,
    name: name.plural,
    description: `A module for Workflow Service: ${name.plural}.`,
    devDependencies: { ...example.devDependencies, 'workflow-service': `file:${servicePath}` },
  };
  return `${JSON.stringify(own, null, 2)}\n`;
}

function readme({ plural }: ModuleName): string {
  return `# ${plural}

A plug-in for Workflow Service. Its module has a table with a migration, routes, a WebSocket gateway with a guard, an
event listener and a node type.

Build and test the plug-in:

\`\`\`sh
npm install && npm test
\`\`\`

To load the plug-in, start the service with the setting \`WORKFLOW_PLUGINS\` set to the path of this folder.
`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
