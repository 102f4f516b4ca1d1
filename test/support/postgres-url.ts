/** URL of the PostgreSQL server on which tests create their databases. */
export const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
