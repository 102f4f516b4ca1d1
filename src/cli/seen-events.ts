import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { envelopeOf, type JournalRepository, lastSequence } from '../journal/index.js';
import { CommandError } from './command-error.js';

/** An event that a client received before a failure. */
interface SeenEvent {
  readonly sequence: number;
  /** Id of the journal batch that contains the event; null if the line of the event has no batch id. */
  readonly id: string | null;
}

/**
 * Reads a file that `watch --json` wrote: one event per line, with `execution_id`, `sequence` and `id`.
 * @returns the last received event of each execution, by execution id
 * @throws CommandError if the file cannot be read or a line is not an event
 */
export async function lastSeen(path: string): Promise<ReadonlyMap<string, SeenEvent>> {
  const last = new Map<string, SeenEvent>();
  let line = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      line += 1;
      if (text.trim() === '') continue;
      const { executionId, ...event } = eventOf(text, `${path}, line ${line}`);
      if (event.sequence >= (last.get(executionId)?.sequence ?? 0)) last.set(executionId, event);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be read: ${String(error)}`, { cause: error });
  }
  return last;
}

/**
 * Checks that the journal still contains an event that a client received.
 * @returns the reason why the event is lost, as a sentence fragment; null if the journal contains the event
 */
export async function lossOf(
  journal: Pick<JournalRepository, 'ofExecution'>,
  executionId: string,
  { sequence, id }: SeenEvent,
): Promise<string | null> {
  const [batch] = (await journal.ofExecution(executionId, sequence - 1, 1)).batches;
  if (batch === undefined || lastSequence(batch) < sequence) {
    const { batches } = await journal.ofExecution(executionId, 0, 1);
    return batches.length === 0
      ? 'lost: the database does not contain this execution'
      : `lost: its journal ends before event ${sequence}`;
  }
  const stored = envelopeOf(batch, sequence - batch.firstSequence).id;
  return id === null || id === stored ? null : `lost: event ${sequence} is ${stored} now, and was ${id}`;
}

function eventOf(text: string, place: string): SeenEvent & { readonly executionId: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new CommandError(`${place}: The line must be an event in JSON, as "watch --json" prints it.`);
  }
  const { execution_id: executionId, sequence, id } = (read ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof executionId !== 'string' || !Number.isSafeInteger(sequence) || Number(sequence) < 1)
    throw new CommandError(`${place}: The event must have "execution_id" and a "sequence" of at least 1.`);
  return { executionId, sequence: Number(sequence), id: typeof id === 'string' ? id : null };
}
