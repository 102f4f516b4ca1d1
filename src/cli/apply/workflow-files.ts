import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../command-error.js';
import { readJson } from '../remote/server.js';

/** A JSON file that contains the document of one workflow. */
export interface WorkflowFile {
  readonly file: string;
  /** Id of the workflow that the file describes; absent if the workflow is found by its name. */
  readonly id?: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Fields of a workflow in API responses that requests must not contain. */
const READ_ONLY = ['id', 'version', 'created_at', 'updated_at', 'last_execution', 'warnings'];

/**
 * Reads workflow documents from files. The thrown error lists the problems of all files.
 * @param places files, folders or `-` for stdin; of a folder, the `.json` files directly in the folder are read
 * @throws CommandError with a line for each file that cannot be read
 */
export function readWorkflowFiles(places: readonly string[]): readonly WorkflowFile[] {
  const errors: string[] = [];
  const files = places
    .flatMap((place) => collecting(errors, () => filesAt(place)))
    .flatMap((file) => collecting(errors, () => [readWorkflowFile(file)]));
  if (errors.length > 0) throw new CommandError(errors.join('\n'));
  return files;
}

function collecting<T>(errors: string[], read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    errors.push(error.message);
    return [];
  }
}

/** @throws CommandError if a folder has no `.json` file */
function filesAt(place: string): readonly string[] {
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return [place];
  const names = readdirSync(place).filter((name) => name.endsWith('.json'));
  if (names.length === 0)
    throw new CommandError(`The folder ${place} contains no .json file with a workflow.`);
  return names.toSorted().map((name) => join(place, name));
}

/** @throws CommandError if the file cannot be read, is not a JSON object, or has an id that is not a string */
function readWorkflowFile(file: string): WorkflowFile {
  const content = readJson(file);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new CommandError(`${file} must contain a JSON object with the fields of a workflow.`);
  const document = Object.fromEntries(Object.entries(content).filter(([name]) => !READ_ONLY.includes(name)));
  const id: unknown = 'id' in content ? content.id : undefined;
  if (id === undefined) return { file, document };
  if (typeof id !== 'string') throw new CommandError(`${file}: "id" must be a string.`);
  return { file, id, document };
}
