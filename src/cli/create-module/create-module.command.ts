import { join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../platform/index.js';
import { CommandError } from '../command-error.js';
import { invokedFrom, readDirectory, serviceRoot, writeNewFolder } from '../new-folder.js';
import type { Terminal } from '../terminal.js';
import { moduleFiles } from './module-files.js';
import { type ModuleName, readModuleName } from './module-name.js';

/** `create-module`: creates a working plug-in with a module. */
export function defineCreateModuleCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<noun>', 'of what it manages, in plural, such as invoices', readModuleName)
    .option('--dir <path>', 'where the folder is made; without it here', readDirectory)
    .action((name: ModuleName, { dir }: { readonly dir?: string }) => {
      const root = serviceRoot();
      const folder = join(resolve(invokedFrom(terminal), dir ?? '.'), name.plural);
      const servicePath = relative(folder, root).split(sep).join('/');
      const example = join(root, 'examples/plugins/notes');
      const files = moduleFiles(example, name, servicePath, systemClock.now());
      if (files === undefined)
        throw new CommandError(`${example} is missing; run this command in a clone of the repository.`);
      writeNewFolder(folder, files, terminal);
      terminal.err(`Next: npm install && npm test, in ${folder}\n`);
      terminal.err(`Then: WORKFLOW_PLUGINS=${folder} npm start, in ${root}\n`);
    });
}
