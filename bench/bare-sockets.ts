/**
 * The bound of W5: a bare `ws` server. A POST says how many events to send and how large; it sends each to every
 * socket as `ws` does it, with one serialisation an event.
 */
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    const { events, bytes } = JSON.parse(text) as { readonly events: number; readonly bytes: number };
    for (let sequence = 1; sequence <= events; sequence += 1) {
      const message = Buffer.from(
        JSON.stringify({ sequence, sent_at: Date.now(), filler: 'x'.repeat(bytes) }),
      );
      for (const socket of sockets.clients) socket.send(message, { binary: false });
    }
    response.writeHead(201).end('{}');
  });
});
const sockets = new WebSocketServer({ server, path: '/ws', perMessageDeflate: false });
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
