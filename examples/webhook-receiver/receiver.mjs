// A receiver of webhooks: verifies signatures, leaves out repeated events, prints the rest. See docs/webhooks.md.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set();

async function receive(request, response) {
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    webhook.verify(body, request.headers);
  } catch {
    return response.writeHead(401).end();
  }
  // Delivery is at least once: a repeated event has the same id.
  const id = request.headers['webhook-id'];
  if (!seen.has(id)) process.stdout.write(`${JSON.parse(body).type}\n`);
  seen.add(id);
  response.writeHead(204).end();
}

createServer((request, response) => void receive(request, response)).listen(
  Number(process.env.PORT ?? 4100),
  '127.0.0.1',
  function listening() {
    process.stdout.write(`Receives webhooks at http://127.0.0.1:${this.address().port}/\n`);
  },
);
