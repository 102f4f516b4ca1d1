import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** Defines the arguments, options, subcommands and action of a command. */
type DefineCommand = (command: Command, terminal: Terminal) => void;

export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /**
   * Imports the module of the command on demand. Most command modules import the whole service, which takes about a
   * second.
   */
  readonly load: () => Promise<DefineCommand>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'apply',
    description: 'create and change workflows of a running service from JSON files',
    load: async () => (await import('./apply/apply.command.js')).defineApplyCommand,
  },
  {
    name: 'audit',
    description: 'check that no entry of the audit log was changed; exits with 1 if an entry was changed',
    load: async () => (await import('./audit.command.js')).defineAuditCommand,
  },
  {
    name: 'backup',
    description: 'copy the embedded database to a file while the service runs, and check the copy',
    load: async () => (await import('./backup/backup.command.js')).defineBackupCommand,
  },
  {
    name: 'bootstrap',
    description: 'create the first admin, a team, a project and an API key with all scopes',
    load: async () => (await import('./bootstrap.command.js')).defineBootstrapCommand,
  },
  {
    name: 'bulk',
    description: 'cancel, pause, resume or retry all executions that match a filter, in a running service',
    load: async () => (await import('./bulk.command.js')).defineBulkCommand,
  },
  {
    name: 'clock',
    description: 'show or advance the test clock of a service that runs with TEST_CLOCK=true',
    load: async () => (await import('./clock.command.js')).defineClockCommand,
  },
  {
    name: 'completion',
    description: 'print a shell script that completes command names in bash and zsh',
    load: async () => (await import('./completion.command.js')).defineCompletionCommand,
  },
  {
    name: 'config',
    description: 'print the effective settings, with secrets masked',
    load: async () => (await import('./config.command.js')).defineConfigCommand,
  },
  {
    name: 'create-module',
    description: 'create a plug-in with a module: table, routes, gateway, event listener and node type',
    load: async () => (await import('./create-module.command.js')).defineCreateModuleCommand,
  },
  {
    name: 'create-node',
    description: 'create the folder of a new node type: class, schema, test and README',
    load: async () => (await import('./create-node.command.js')).defineCreateNodeCommand,
  },
  {
    name: 'executions',
    description: 'list, show, cancel, retry, approve and reject executions of a running service',
    load: async () => (await import('./executions.command.js')).defineExecutionsCommand,
  },
  {
    name: 'hooks',
    description: 'manage hooks of a running service: list, create, test',
    load: async () => (await import('./hooks.command.js')).defineHooksCommand,
  },
  {
    name: 'issuers',
    description: 'revoke all API tokens that were issued for JWTs of a token issuer',
    load: async () => (await import('./issuers.command.js')).defineIssuersCommand,
  },
  {
    name: 'keys',
    description: 'create API keys',
    load: async () => (await import('./keys.command.js')).defineKeysCommand,
  },
  {
    name: 'migrate',
    description:
      'migrate the schema up or down, or show its status; with --from and --to, move all data from SQLite to PostgreSQL',
    load: async () => (await import('./migrate.command.js')).defineMigrateCommand,
  },
  {
    name: 'restore',
    description: 'replace the embedded database with a backup; stop the service first',
    load: async () => (await import('./backup/restore.command.js')).defineRestoreCommand,
  },
  {
    name: 'routes',
    description: 'list every HTTP route and the permission it requires',
    load: async () => (await import('./routes.command.js')).defineRoutesCommand,
  },
  {
    name: 'run',
    description: 'start a workflow and show its progress; exits with 0 if it completes, else 1',
    load: async () => (await import('./run.command.js')).defineRunCommand,
  },
  {
    name: 'diff',
    description: 'show how two executions of a workflow differ',
    load: async () => (await import('./diff.command.js')).defineDiffCommand,
  },
  {
    name: 'schedules',
    description: 'manage schedules of a running service: list, create, pause, resume, trigger, backfill',
    load: async () => (await import('./schedules.command.js')).defineSchedulesCommand,
  },
  {
    name: 'search',
    description: 'find workflows, executions, keys and more in a running service, by name, id or words',
    load: async () => (await import('./search.command.js')).defineSearchCommand,
  },
  {
    name: 'secrets',
    description: 'list, set and delete secrets; re-encrypt all of them with a new key',
    load: async () => (await import('./secrets.command.js')).defineSecretsCommand,
  },
  {
    name: 'teams',
    description: 'assign rate-limit plans to teams',
    load: async () => (await import('./teams.command.js')).defineTeamsCommand,
  },
  {
    name: 'verify',
    description: 'compare every stored execution with its events; exits with 1 if any execution differs',
    load: async () => (await import('./verify.command.js')).defineVerifyCommand,
  },
  {
    name: 'watch',
    description: 'print live events until Ctrl-C; reconnects automatically',
    load: async () => (await import('./watch.command.js')).defineWatchCommand,
  },
  {
    name: 'webhooks',
    description: 'list, create and test webhooks; show deliveries and send them again',
    load: async () => (await import('./webhooks.command.js')).defineWebhooksCommand,
  },
  {
    name: 'worker',
    description: 'start a process that only runs executions and serves no clients; same as ROLE=worker',
    load: async () => (await import('./worker.command.js')).defineWorkerCommand,
  },
];
