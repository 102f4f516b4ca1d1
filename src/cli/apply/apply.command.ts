import type { Command } from 'commander';
import { printable } from '../../display/index.js';
import type { ValidateWorkflowView, WorkflowView } from '../../workflows/index.js';
import { CommandError } from '../command-error.js';
import { workflowsNamed } from '../remote/find.js';
import { Server, type ServerOptions, withServerOptions } from '../remote/server.js';
import { printJson, type Terminal } from '../terminal.js';
import { changesDefinition, changesDetails } from './workflow-difference.js';
import { readWorkflowFiles, type WorkflowFile } from './workflow-files.js';

interface ApplyOptions extends ServerOptions {
  readonly file: readonly string[];
  readonly project?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/**
 * Effect of a document on its workflow. `updated` changes the name, description, status or tags, but not the
 * definition, so the version stays the same.
 */
type Result = 'created' | 'new_version' | 'updated' | 'unchanged';

interface Change extends WorkflowFile {
  readonly result: Result;
  /** The workflow before the change; absent if the file creates a workflow. */
  readonly workflow?: WorkflowView;
}

interface Applied {
  readonly file: string;
  readonly result: Result;
  /** Id of the workflow; null in a dry run that would create the workflow. */
  readonly id: string | null;
  readonly name: string;
  readonly version: number;
}

/** `apply`: makes the workflows of a running service equal to the documents in files. */
export function defineApplyCommand(command: Command, terminal: Terminal): void {
  withServerOptions(
    command
      .requiredOption('-f, --file <path...>', 'JSON files, or folders with .json files; - reads stdin')
      .option('--project <id>', 'the project of the workflows; default: the project of the key')
      .option('--dry-run', 'check the files and print what would change')
      .option('--json', 'print JSON'),
  ).action((options: ApplyOptions) => apply(terminal, options));
}

async function apply(terminal: Terminal, options: ApplyOptions): Promise<void> {
  const files = readWorkflowFiles(options.file).map((file) =>
    options.project === undefined
      ? file
      : { ...file, document: { ...file.document, project_id: options.project } },
  );
  const server = Server.of(options, terminal);
  await validate(server, files, terminal);
  const changes = await changesOf(server, files);
  const applied: Applied[] = [];
  try {
    for (const change of changes) {
      const done = options.dryRun === true ? expected(change) : await write(server, change);
      applied.push(done);
      if (options.json !== true) terminal.out(`${lineOf(done, options.dryRun === true)}\n`);
    }
  } finally {
    // Prints the successful changes, even if a later change has failed.
    if (options.json === true) printJson(terminal, applied);
  }
}

/** @throws CommandError with a line for each error in the files */
async function validate(server: Server, files: readonly WorkflowFile[], { err }: Terminal): Promise<void> {
  const errors: string[] = [];
  for (const { file, document } of files) {
    const found = await withFileName(file, () =>
      server.request<ValidateWorkflowView>('POST', '/v1/workflows/validate', document),
    );
    errors.push(...found.errors.map(({ field, reason }) => `${file}: ${field}: ${reason}`));
    for (const { path, message } of found.warnings) err(`${file}: ${path}: warning: ${printable(message)}\n`);
  }
  if (errors.length > 0) throw new CommandError([...errors, 'No workflow was changed.'].join('\n'));
}

/** @throws CommandError if several workflows match a file, or two files describe the same workflow */
async function changesOf(server: Server, files: readonly WorkflowFile[]): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const seen = new Map<string, string>();
  for (const file of files) {
    const change = await withFileName(file.file, () => changeOf(server, file));
    const { name, project_id: projectId } = file.document;
    const key = change.workflow?.id ?? JSON.stringify([projectId, name]);
    const other = seen.get(key);
    if (other !== undefined)
      throw new CommandError(
        `${file.file} and ${other} describe the same workflow, "${String(name)}". Remove one of the files.`,
      );
    seen.set(key, file.file);
    changes.push(change);
  }
  return changes;
}

/** @throws CommandError if the workflow with the id of the file does not exist, or several workflows have the name */
async function changeOf(server: Server, file: WorkflowFile): Promise<Change> {
  const workflow = await workflowOf(server, file);
  if (workflow === undefined) return { ...file, result: 'created' };
  const { document } = file;
  if (changesDefinition(document, workflow)) return { ...file, workflow, result: 'new_version' };
  return { ...file, workflow, result: changesDetails(document, workflow) ? 'updated' : 'unchanged' };
}

async function workflowOf(server: Server, { id, document }: WorkflowFile): Promise<WorkflowView | undefined> {
  if (id !== undefined) return server.request('GET', `/v1/workflows/${encodeURIComponent(id)}`);
  const name = String(document['name']);
  const projectId = document['project_id'];
  const [first, second] = await workflowsNamed(
    server,
    name,
    typeof projectId === 'string' ? projectId : undefined,
  );
  if (first !== undefined && second !== undefined)
    throw new CommandError(
      `Several workflows have the name "${name}": ${first.id} and ${second.id}. Add the "id" of the workflow to the file.`,
    );
  return first;
}

async function write(server: Server, change: Change): Promise<Applied> {
  const { file, document, workflow, result } = change;
  if (result === 'unchanged') return expected(change);
  const { id, name, version } = await withFileName(file, () =>
    workflow === undefined
      ? server.request<WorkflowView>('POST', '/v1/workflows', document)
      : server.request<WorkflowView>('PUT', `/v1/workflows/${workflow.id}`, document),
  );
  if (workflow === undefined) return { file, result, id, name, version };
  return { file, result: version === workflow.version ? 'updated' : 'new_version', id, name, version };
}

function expected({ file, document, workflow, result }: Change): Applied {
  const version = workflow?.version ?? 0;
  return {
    file,
    result,
    id: workflow?.id ?? null,
    name: String(document['name']),
    version: result === 'created' || result === 'new_version' ? version + 1 : version,
  };
}

function lineOf({ file, result, name, version }: Applied, isDryRun: boolean): string {
  const texts: Readonly<Record<Result, string>> = {
    created: isDryRun ? 'would be created' : 'created',
    new_version: isDryRun ? `would get version ${version}` : `new version ${version}`,
    updated: isDryRun ? 'would be updated' : `updated, still version ${version}`,
    unchanged: 'unchanged',
  };
  return `${file}: ${texts[result]} (${printable(name)})`;
}

/** Prefixes the message of an error with the name of the file that caused the error. */
async function withFileName<T>(file: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`${file}: ${error.message}`, { cause: error });
  }
}
