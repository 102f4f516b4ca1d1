import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { SecretRotation, type SecretView } from '../secrets/index.js';
import { CommandError } from './command-error.js';
import { readText, Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, type Terminal } from './terminal.js';
import { withApplication } from './with-application.js';

interface Options extends ServerOptions {
  readonly project?: string;
  readonly json?: true;
}

/**
 * `secrets`: lists, sets and deletes secrets over the API. `secrets rotate` encrypts all stored secrets again with the
 * current key.
 */
export function defineSecretsCommand(command: Command, terminal: Terminal): void {
  withServerOptions(command.command('list'))
    .description('list secrets, without their values')
    .option('--project <id>', 'only secrets of this project; default: all projects of the key')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const secrets = await Server.of(options, terminal).all<SecretView>('/v1/secrets', {
        project_id: options.project,
      });
      if (options.json === true) return printJson(terminal, secrets);
      for (const { name, version, last_used_at } of secrets)
        terminal.out(`${name}  version ${version}  last used ${last_used_at ?? 'never'}\n`);
    });
  withServerOptions(command.command('set <name>'))
    .description('create a secret or replace its value; reads the value from a file or standard input')
    .option('--value-file <file>', 'file with the value; default: standard input')
    .option('--project <id>', 'project of the secret; default: the project of the key')
    .option('--description <text>', 'description of the secret')
    .action(
      async (
        name: string,
        options: Options & { readonly valueFile?: string; readonly description?: string },
      ) => {
        const server = Server.of(options, terminal);
        const value = await valueOf(options.valueFile, terminal);
        const { description, project } = options;
        const known = await named(server, name, project);
        const { version } =
          known === undefined
            ? await server.request<SecretView>('POST', '/v1/secrets', {
                name,
                value,
                description,
                project_id: project,
              })
            : await server.request<SecretView>('PATCH', `/v1/secrets/${known.id}`, { value, description });
        terminal.out(`${name} is set to version ${version}.\n`);
      },
    );
  withServerOptions(command.command('delete <name>'))
    .description('delete a secret')
    .option('--project <id>', 'project of the secret; default: all projects of the key')
    .option('--force', 'delete the secret even if an active workflow, hook or webhook uses it')
    .action(async (name: string, options: Options & { readonly force?: true }) => {
      const server = Server.of(options, terminal);
      const known = await named(server, name, options.project);
      if (known === undefined) throw new CommandError(`There is no secret ${name}.`);
      await server.request('DELETE', `/v1/secrets/${known.id}${options.force === true ? '?force=true' : ''}`);
      terminal.out(`${name} is deleted.\n`);
    });
  command
    .command('rotate')
    .description('re-encrypt all secrets and signing secrets with SECRETS_KEY, while the service runs')
    .action(async () => {
      const { SEALED_COLUMNS } = await import('../schema.js');
      const rotated = await withApplication(terminal, (application: INestApplicationContext) =>
        application
          .get(SecretRotation, { strict: false })
          .rotate(SEALED_COLUMNS, ({ done, total }) => terminal.err(`${done} of ${total} secrets ...\n`)),
      );
      terminal.out(`${rotated} secrets were encrypted with the current key. No secret uses an older key.\n`);
    });
}

/**
 * Returns the secret with the given name; undefined if no secret has this name.
 * @throws CommandError if several projects have a secret with this name
 */
async function named(
  server: Server,
  name: string,
  project: string | undefined,
): Promise<SecretView | undefined> {
  const { data } = await server.page<SecretView>('/v1/secrets', { name, project_id: project });
  if (data.length > 1)
    throw new CommandError(
      `${data.length} projects have a secret with the name ${name}. Select a project with --project.`,
    );
  return data[0];
}

/**
 * Reads the value of a secret from a file or the terminal, and removes the final line break that editors and shells
 * add.
 */
async function valueOf(file: string | undefined, terminal: Terminal): Promise<string> {
  const text =
    file === undefined && terminal.ask !== undefined
      ? await terminal.ask('Value: ', { isSecret: true })
      : readText(file ?? '-');
  return text.replace(/\r?\n$/, '');
}
