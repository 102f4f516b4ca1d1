import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataSource } from 'typeorm';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import type { Notifications, Writer } from '../../src/storage/index.js';
import { noticesOf, writerOf } from '../../src/storage/storage.module.js';
import { installedPostgres } from '../../tools/scripts/private-servers.mjs';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { until } from '../support/until.js';

const TOPIC = 'failover_test';
const PROGRAMS = installedPostgres();

/** The database connections of one process (data source, writer and notifications), all with the same URL. */
class Connections {
  private constructor(
    readonly dataSource: DataSource,
    readonly writer: Writer,
    readonly notices: Notifications,
  ) {}

  static async open(url: string): Promise<Connections> {
    const settings = { dialect: 'postgres', url } as const;
    const dataSource = await openDataSource(dataSourceOptions(settings, [], []), false);
    const writer = writerOf(dataSource);
    return new Connections(dataSource, writer, await noticesOf(settings, null));
  }

  async port(): Promise<string> {
    const [row] = await this.dataSource.query<readonly { readonly port: string }[]>(
      "SELECT current_setting('port') AS port",
    );
    return row?.port ?? '';
  }

  async write(n: number): Promise<void> {
    await this.writer.commit({ writes: [{ sql: 'INSERT INTO kept VALUES ($1)', parameters: [n] }] });
  }

  async close(): Promise<void> {
    await this.notices.close();
    await this.dataSource.destroy();
  }
}

describe.runIf(PROGRAMS !== undefined)(
  'a primary and its synchronous standby, if `pg_basebackup` is installed',
  () => {
    let pair: ReplicatedPostgres;
    let listening: Connections;
    let other: Connections;
    let notifications = 0;

    beforeAll(async () => {
      pair = await ReplicatedPostgres.start({ isSynchronous: true });
      // The first connections use a URL that lists the standby before the primary, so they must skip the standby.
      const { hostname, port } = new URL(pair.standbyUrl);
      const primary = new URL(pair.primaryUrl);
      const url = `postgres://postgres@${hostname}:${port},${primary.host}/postgres`;
      [listening, other] = [await Connections.open(url), await Connections.open(pair.url)];
      await other.dataSource.query('CREATE TABLE kept (n int)');
      await listening.notices.listen(TOPIC, () => (notifications += 1));
    });

    afterAll(async () => {
      await listening?.close();
      await other?.close();
      await pair?.stop();
    });

    const expectNotification = async (): Promise<void> => {
      const before = notifications;
      await until('a notification', async () => {
        await other.dataSource.query(`NOTIFY ${TOPIC}`).catch(() => undefined);
        return notifications > before;
      });
    };

    it('a process connects only to the primary although its URL lists the primary and the standby', async () => {
      const { port } = new URL(pair.primaryUrl);
      expect([await listening.port(), await other.port()]).toEqual([port, port]);
      await other.write(1);
      await expectNotification();
    });

    it('a process cannot connect if no server in its URL accepts writes, and the error gives a reason for each server', async () => {
      const open = (url: string): Promise<Connections> => Connections.open(url);
      await expect(open(`${pair.standbyUrl}?target_session_attrs=read-write`)).rejects.toThrow(
        /No PostgreSQL server accepts writes: .* is a standby or read-only/,
      );
      const { host } = new URL(pair.standbyUrl);
      await expect(open(`postgres://postgres@${host},127.0.0.1:1/postgres`)).rejects.toThrow(
        /is a standby or read-only; 127\.0\.0\.1:1 does not respond: .*ECONNREFUSED/,
      );
    });

    it('after a failover, queries, commits and notifications use the promoted standby', async () => {
      const { port } = new URL(pair.standbyUrl);
      await pair.killPrimary();
      await expect(other.write(2)).rejects.toThrow();
      await pair.promote();
      await until('a commit', () =>
        listening.write(3).then(
          () => true,
          () => false,
        ),
      );
      await until('a commit', () =>
        other.write(4).then(
          () => true,
          () => false,
        ),
      );
      expect([await listening.port(), await other.port()]).toEqual([port, port]);
      await expectNotification();
      const rows = await other.dataSource.query<readonly { readonly n: number }[]>(
        'SELECT n FROM kept ORDER BY n',
      );
      expect(rows.map(({ n }) => n)).toEqual([1, 3, 4]);
    });

    it('a new process chooses the server that was promoted last, even if the old primary accepts writes again', async () => {
      await pair.startLeftBehind();
      const { host } = new URL(pair.standbyUrl);
      const late = await Connections.open(
        `postgres://postgres@${host},${new URL(pair.primaryUrl).host}/postgres`,
      );
      try {
        expect(await late.port()).toBe(new URL(pair.primaryUrl).port);
      } finally {
        await late.close();
      }
    });
  },
);
