/**
 * Reference server for the benchmark W5: a bare `ws` server. It commits each event durably, serializes the event once
 * and sends it to every socket.
 */
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { WebSocketServer } from 'ws';

const PAGE = 500;

interface Row {
  readonly sequence: number;
  readonly text: string;
}

const database = new Database(process.argv[2] ?? ':memory:');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE events (sequence INTEGER PRIMARY KEY, text TEXT)');
const insert = database.prepare<[string]>('INSERT INTO events (text) VALUES (?)');
const after = database.prepare<[number, number], Row>(
  'SELECT sequence, text FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
);

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    const { events, bytes } = JSON.parse(text) as { readonly events: number; readonly bytes: number };
    const messages = Array.from({ length: events }, (_, index) =>
      JSON.stringify({ sequence: index + 1, sent_at: Date.now(), filler: 'x'.repeat(bytes) }),
    );
    database.transaction(() => messages.forEach((message) => insert.run(message)))();
    for (const message of messages) {
      const bytesOfIt = Buffer.from(message);
      for (const socket of sockets.clients) socket.send(bytesOfIt, { binary: false });
    }
    response.writeHead(201).end('{}');
  });
});
const sockets = new WebSocketServer({ server, path: '/ws', perMessageDeflate: false });
sockets.on('connection', (socket) =>
  socket.on('message', () => {
    let last = 0;
    const send = (): void => {
      const rows = after.all(last, PAGE);
      for (const { text } of rows) socket.send(text);
      last = rows.at(-1)?.sequence ?? last;
      if (rows.length === PAGE) setImmediate(send);
    };
    send();
  }),
);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
