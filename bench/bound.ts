/**
 * The bound: what this machine gives a server that does nothing but the durable minimum of the workload, with
 * bare node:http, bare better-sqlite3, `synchronous = FULL` and group commit. One commit for the start, one for
 * the three steps and the end together (they are pure: nothing waits for a commit between them).
 */
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';

const database = new Database(process.argv[2] ?? ':memory:');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE executions (id TEXT PRIMARY KEY, status TEXT, input TEXT, output TEXT)');
database.exec(
  'CREATE TABLE events (execution_id TEXT, sequence INTEGER, type TEXT, data TEXT, PRIMARY KEY (execution_id, sequence))',
);
const insertExecution = database.prepare('INSERT INTO executions VALUES (?, ?, ?, NULL)');
const finishExecution = database.prepare('UPDATE executions SET status = ?, output = ? WHERE id = ?');
const insertEvent = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');

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

async function execute(input: { readonly n: number }): Promise<unknown> {
  const id = randomUUID();
  await commit(() => {
    insertExecution.run(id, 'queued', JSON.stringify(input));
    insertEvent.run(id, 1, 'queued', JSON.stringify({ input }));
  });
  const a = input.n + 1;
  const b = a * 2;
  const c = `result ${b}`;
  await commit(() => {
    insertEvent.run(id, 2, 'a', JSON.stringify({ output: a }));
    insertEvent.run(id, 3, 'b', JSON.stringify({ output: b }));
    insertEvent.run(id, 4, 'c', JSON.stringify({ output: c }));
    insertEvent.run(id, 5, 'completed', JSON.stringify({ output: c }));
    finishExecution.run('completed', JSON.stringify(c), id);
  });
  return { id, status: 'completed', output: c };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly input: { readonly n: number };
    };
    void execute(input).then((body) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
