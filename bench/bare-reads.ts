/**
 * What a read is compared with: Express and a raw query by TypeORM on the same file, and nothing else. Nobody is asked
 * who they are, nothing is limited, checked or counted.
 */
import express from 'express';
import { DataSource } from 'typeorm';

const [, , file = ''] = process.argv;
const dataSource = await new DataSource({ type: 'better-sqlite3', database: file }).initialize();
const app = express();

type Row = Readonly<Record<string, string | number | null>>;

function answerOf(row: Row): object {
  return {
    ...row,
    input: JSON.parse(String(row['input'])),
    output: JSON.parse(String(row['output'])),
    metadata: JSON.parse(String(row['metadata'])),
  };
}

app.get('/v1/executions/:id', async (request, response) => {
  const rows = await dataSource.query<Row[]>('SELECT * FROM executions WHERE id = ?', [request.params.id]);
  response.json(rows.map(answerOf)[0]);
});

app.get('/v1/executions', async (_, response) => {
  const rows = await dataSource.query<Row[]>('SELECT * FROM executions ORDER BY id DESC LIMIT 20');
  response.json({ data: rows.map(answerOf) });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
