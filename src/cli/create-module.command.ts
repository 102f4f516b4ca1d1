import { join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../platform/index.js';
import { moduleFiles, type ModuleName, readModuleName } from '../scaffolds/index.js';
import { CommandError } from './command-error.js';
import { invokedFrom, readDirectory, serviceRoot, writeNewFolder } from './new-folder.js';
import type { Terminal } from './terminal.js';

/** `create-module`: creates a plug-in with a sample Nest module that runs without changes. */
export function defineCreateModuleCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<noun>', 'plural noun of the managed resource, such as invoices', readModuleName)
    .option('--dir <path>', 'parent folder of the new folder; default: current folder', readDirectory)
    .action((name: ModuleName, { dir }: { readonly dir?: string }) => {
      const root = serviceRoot();
      const folder = join(resolve(invokedFrom(terminal), dir ?? '.'), name.plural);
      const servicePath = relative(folder, root).split(sep).join('/');
      const example = join(root, 'examples/plugins/notes');
      const files = moduleFiles(example, name, servicePath, systemClock.now());
      if (files === undefined)
        throw new CommandError(
          `The example plug-in ${example} is missing. Run this command in a clone of the repository.`,
        );
      writeNewFolder(folder, files, terminal);
      terminal.err(`Next: run npm install && npm test in ${folder}\n`);
      terminal.err(`Then: run WORKFLOW_PLUGINS=${folder} npm start in ${root}\n`);
    });
}
