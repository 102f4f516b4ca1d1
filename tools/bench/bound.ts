/**
 * Reference server for executions: bare `node:http` and better-sqlite3, with only the work that a durable execution
 * needs. The argument `one` or `two` is the number of commits per execution. `POST /` runs an execution, `/queue`
 * stores a start, and `/drain` runs all stored starts.
 */
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';

/** Number of stored executions that `/drain` runs in one commit. */
const DRAINED = 512;

const [, , file = ':memory:', commits = 'one'] = process.argv;
const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE executions (id TEXT PRIMARY KEY, status TEXT, input TEXT, output TEXT)');
database.exec("CREATE INDEX queued ON executions (status) WHERE status = 'queued'");
database.exec(
  'CREATE TABLE events (execution_id TEXT, sequence INTEGER, type TEXT, data TEXT, PRIMARY KEY (execution_id, sequence))',
);
const insertExecution = database.prepare('INSERT INTO executions VALUES (?, ?, ?, NULL)');
const finishExecution = database.prepare('UPDATE executions SET status = ?, output = ? WHERE id = ?');
const insertEvent = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');
const someQueued = database.prepare<[number], { readonly id: string; readonly input: string }>(
  "SELECT id, input FROM executions WHERE status = 'queued' LIMIT ?",
);

interface Input {
  readonly n: number;
  /** Number of steps of an execution. Default: the three steps of the benchmark W1. */
  readonly steps?: number;
}

interface Pending {
  readonly write: () => void;
  readonly done: () => void;
}
let queue: Pending[] = [];

function commit(write: () => void): Promise<void> {
  return new Promise((done) => {
    queue.push({ write, done });
    if (queue.length === 1) setImmediate(flush);
  });
}

function flush(): void {
  const batch = queue;
  queue = [];
  database.exec('BEGIN');
  for (const { write } of batch) write();
  database.exec('COMMIT');
  for (const { done } of batch) done();
}

function writeStart(id: string, input: Input): void {
  insertExecution.run(id, 'queued', JSON.stringify(input));
  insertEvent.run(id, 1, 'queued', JSON.stringify({ input }));
}

function outputsOf({ n, steps = 3 }: Input): readonly unknown[] {
  if (steps === 3) return [n + 1, (n + 1) * 2, `result ${(n + 1) * 2}`];
  return Array.from({ length: steps }, (_, step) => n + step);
}

function writeEnd(id: string, outputs: readonly unknown[]): void {
  outputs.forEach((output, step) =>
    insertEvent.run(id, 2 + step, `step ${step}`, JSON.stringify({ output })),
  );
  const output = JSON.stringify(outputs.at(-1));
  insertEvent.run(id, 2 + outputs.length, 'completed', output);
  finishExecution.run('completed', output, id);
}

async function execute(input: Input): Promise<unknown> {
  const id = randomUUID();
  const outputs = outputsOf(input);
  if (commits === 'two') await commit(() => writeStart(id, input));
  await commit(() => {
    if (commits !== 'two') writeStart(id, input);
    writeEnd(id, outputs);
  });
  return { id, status: 'completed', output: outputs.at(-1) };
}

async function leave(input: Input): Promise<unknown> {
  const id = randomUUID();
  await commit(() => writeStart(id, input));
  return { id, status: 'queued' };
}

async function drain(): Promise<unknown> {
  let drained = 0;
  for (;;) {
    const some = someQueued.all(DRAINED);
    if (some.length === 0) return { drained };
    await commit(() => {
      for (const { id, input } of some) writeEnd(id, outputsOf(JSON.parse(input) as Input));
    });
    drained += some.length;
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly input: Input };
    const answer =
      request.url === '/queue' ? leave(input) : request.url === '/drain' ? drain() : execute(input);
    void answer.then((body) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
