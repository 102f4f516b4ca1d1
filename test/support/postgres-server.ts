import { Client } from 'pg';

/** URL of the PostgreSQL server on which tests create their databases. */
export const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Runs one SQL statement on a server. */
export async function onServer(serverUrl: string, sql: string, connectionTimeoutMillis = 0): Promise<void> {
  await withClient(serverUrl, (client) => client.query(sql), connectionTimeoutMillis);
}

/** Calls `work` with a connection to a server, and closes the connection afterwards. */
export async function withClient(
  serverUrl: string,
  work: (client: Client) => Promise<unknown>,
  connectionTimeoutMillis = 0,
): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
