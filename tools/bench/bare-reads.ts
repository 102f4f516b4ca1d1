/**
 * Reference server for read benchmarks: bare Express with a raw SQL query on the database file of the service. It has
 * no authentication and no validation.
 */
import express from 'express';
import { DataSource } from 'typeorm';

const [, , file = ''] = process.argv;
const dataSource = await new DataSource({ type: 'better-sqlite3', database: file }).initialize();
const app = express();

type Row = Readonly<Record<string, string | number | null>>;

function answerOf(row: Row): object {
  const parsed = (column: string): unknown => JSON.parse(String(row[column]));
  return { ...row, input: parsed('input'), output: parsed('output'), metadata: parsed('metadata') };
}

app.get('/v1/executions/:id', (request, response, next) => {
  dataSource
    .query<readonly Row[]>('SELECT * FROM executions WHERE id = ?', [request.params.id])
    .then((rows) => response.json(rows.map(answerOf)[0]), next);
});

app.get('/v1/executions', (_, response, next) => {
  dataSource
    .query<readonly Row[]>('SELECT * FROM executions ORDER BY id DESC LIMIT 20')
    .then((rows) => response.json({ data: rows.map(answerOf) }), next);
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
