import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** Adds arguments, options, subcommands and the action to a command. */
type DefineCommand = (command: Command, terminal: Terminal) => void;

/** One command of the CLI. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /** Loads the command's modules on demand: most import the whole service, which takes a second. */
  readonly load: () => Promise<DefineCommand>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'audit',
    description: 'the audit log',
    load: async () => (await import('./audit.command.js')).defineAuditCommand,
  },
  {
    name: 'backup',
    description: 'copy the embedded database to a file while the service runs, and check the copy',
    load: async () => (await import('./backup/backup.command.js')).defineBackupCommand,
  },
  {
    name: 'bootstrap',
    description: 'make the first admin, a team, a project and an API key with every scope',
    load: async () => (await import('./bootstrap.command.js')).defineBootstrapCommand,
  },
  {
    name: 'clock',
    description: 'read or move the time of a service that runs with TEST_CLOCK=true',
    load: async () => (await import('./clock.command.js')).defineClockCommand,
  },
  {
    name: 'config',
    description: 'show the settings in force; secrets are covered',
    load: async () => (await import('./config.command.js')).defineConfigCommand,
  },
  {
    name: 'create-module',
    description: 'make a plug-in with a module: table, routes, gateway, listener of events and node type',
    load: async () => (await import('./create-module/create-module.command.js')).defineCreateModuleCommand,
  },
  {
    name: 'create-node',
    description: 'make the folder of a new node type: class, schema, spec and README',
    load: async () => (await import('./create-node/create-node.command.js')).defineCreateNodeCommand,
  },
  {
    name: 'hooks',
    description: 'hooks of a running service: list, create, test',
    load: async () => (await import('./hooks.command.js')).defineHooksCommand,
  },
  {
    name: 'issuers',
    description: 'token issuers, as TOKEN_ISSUERS names them',
    load: async () => (await import('./issuers.command.js')).defineIssuersCommand,
  },
  {
    name: 'keys',
    description: 'API keys',
    load: async () => (await import('./keys.command.js')).defineKeysCommand,
  },
  {
    name: 'migrate',
    description:
      'bring the schema up to date, take its last step back, or show where it is; with --from and --to, move everything from SQLite to PostgreSQL',
    load: async () => (await import('./migrate.command.js')).defineMigrateCommand,
  },
  {
    name: 'restore',
    description: 'replace the embedded database by a backup; the service must not run',
    load: async () => (await import('./backup/restore.command.js')).defineRestoreCommand,
  },
  {
    name: 'routes',
    description: 'show every HTTP route and what it asks of its caller',
    load: async () => (await import('./routes.command.js')).defineRoutesCommand,
  },
  {
    name: 'run',
    description: 'execute a workflow and watch it; exit code 0 when it completes, else 1',
    load: async () => (await import('./run.command.js')).defineRunCommand,
  },
  {
    name: 'schedules',
    description: 'schedules of a running service: list, create, pause, resume, trigger, backfill',
    load: async () => (await import('./schedules.command.js')).defineSchedulesCommand,
  },
  {
    name: 'secrets',
    description: 'list, set and delete secrets; encrypt all of them again with a new key',
    load: async () => (await import('./secrets.command.js')).defineSecretsCommand,
  },
  {
    name: 'teams',
    description: 'teams',
    load: async () => (await import('./teams.command.js')).defineTeamsCommand,
  },
  {
    name: 'verify',
    description: 'compare every execution with its journal; exits with 1 where one differs',
    load: async () => (await import('./verify.command.js')).defineVerifyCommand,
  },
  {
    name: 'watch',
    description: 'print events as they happen, through broken connections, until Ctrl-C',
    load: async () => (await import('./watch.command.js')).defineWatchCommand,
  },
  {
    name: 'webhooks',
    description: 'list, create and test webhooks; show and repeat their deliveries',
    load: async () => (await import('./webhooks.command.js')).defineWebhooksCommand,
  },
  {
    name: 'worker',
    description: 'run executions while other processes answer clients; the same as ROLE=worker',
    load: async () => (await import('./worker.command.js')).defineWorkerCommand,
  },
];
