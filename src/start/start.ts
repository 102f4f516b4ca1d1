import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApplication } from '../application.js';
import { SET_UP_LINK_MINUTES, SetUpLinkService } from '../auth/index.js';
import { Dashboard } from '../dashboard/index.js';
import {
  allocateInYoungGeneration,
  collectStartupGarbage,
  localUrl,
  readBuildInfo,
} from '../platform/index.js';
import { environment, type Settings } from '../settings/index.js';
import { Writer } from '../storage/index.js';
import { isHttps } from '../http/index.js';
import { checkedSettings } from './checked-settings.js';
import { listen } from './listen.js';
import { endOnFaults, endOnSignals } from './shutdown.js';
import { startupFailure } from './startup-failure.js';
import { startupSummary } from './startup-summary.js';

/**
 * Starts the service and prints its URLs to stdout. If the startup fails, prints the reason to stderr and ends the
 * process.
 *
 * @param variables settings as environment variables
 */
export async function start(variables = environment()): Promise<void> {
  // Nest logs nothing until the service's own logger exists. The `catch` block of this function reports startup
  // failures.
  Logger.overrideLogger(false);
  allocateInYoungGeneration();
  let app: NestExpressApplication | undefined;
  try {
    const settings = checkedSettings(variables);
    app = await createApplication(settings);
    endOnFaults();
    // The thread that commits to SQLite then loads its modules while the application is initialized.
    app.get(Writer, { strict: false }).warmUp();
    await app.init();
    endOnSignals(app, settings);
    const port = await listen(app.getHttpServer(), {
      host: settings.HOST,
      port: settings.PORT,
      orNext: settings.NODE_ENV !== 'production',
    });
    process.stdout.write(await summary(app, settings, port));
    await collectStartupGarbage();
  } catch (error) {
    const { exitCode, lines } = startupFailure(error);
    process.stderr.write(lines.map((line) => `${line}\n`).join(''));
    await app?.close().catch(() => undefined);
    process.exit(exitCode);
  }
}

async function summary(app: NestExpressApplication, settings: Settings, port: number): Promise<string> {
  const { version } = readBuildInfo(import.meta.url, process.env);
  const token = settings.ROLE === 'worker' ? null : await app.get(SetUpLinkService).create();
  const baseUrl = settings.BASE_URL?.replace(/\/$/, '') ?? localUrl(settings.HOST, port, isHttps(settings));
  return startupSummary({
    version,
    readyAfterMs: performance.now(),
    baseUrl,
    dashboardUrl: settings.DASHBOARD_URL?.replace(/\/$/, '') ?? `${baseUrl}/dashboard`,
    role: settings.ROLE,
    dashboardMissingBecause: app.get(Dashboard, { strict: false }).missingBecause,
    database: settings.database,
    redisUrl: settings.REDIS_URL ?? null,
    portInUse: settings.PORT === 0 || settings.PORT === port ? null : { wanted: settings.PORT, got: port },
    setUp: token === null ? null : { token, minutes: SET_UP_LINK_MINUTES },
  });
}
