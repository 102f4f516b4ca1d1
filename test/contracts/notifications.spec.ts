import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { PostgresNotifications } from '../../src/storage/notifications/postgres-notifications.ts';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { notificationsContract } from './notifications.contract.js';

// Silences the logger, because the service logs the outages of these tests.
Logger.overrideLogger(false);

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

describe.runIf(postgres !== undefined)('notifications over PostgreSQL', () => {
  let database: TestDatabase;
  let url: string;

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    if (database.settings.dialect === 'postgres') url = database.settings.url;
  });

  afterAll(() => database.drop());

  notificationsContract(() => ({
    open: async () => new PostgresNotifications(url),
    cut: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await client.end();
    },
  }));
});
