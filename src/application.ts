import type { IncomingMessage } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AddressRanges } from './access/index.js';
import { AppModule } from './app.module.js';
import { isOwnOrigin } from './auth/index.js';
import { EventSocketAdapter } from './events/index.js';
import { HOOKS_PATH } from './hooks/index.js';
import { loadPlugins } from './nodes/index.js';
import {
  basePathOf,
  configureHttp,
  HttpAdapter,
  readTlsFiles,
  type ResponseListener,
  setupOpenApi,
} from './http/index.js';
import { METRICS, type Metrics } from './metrics/index.js';
import { readBuildInfo } from './platform/index.js';
import { ServiceLogger } from './logging/index.js';
import type { Settings } from './settings/index.js';
import { answerV0, withV0Reads } from './v0/index.js';

const DESCRIPTION =
  'Create workflows (graphs of nodes), execute them durably and watch every step live over the WebSocket at `/ws`.';

/**
 * Routing options of NestJS. Literal paths take precedence over paths with parameters, independent of the order of
 * modules. Two handlers with the same method and path make the start fail.
 */
export const ROUTING = {
  routeResolutionStrategy: 'specificity',
  routeConflictPolicy: { duplicate: 'error' },
} as const;

/** Paths to which a worker responds. A worker refuses every other path. */
const PROBES = ['/health/live', '/health/ready', '/metrics'];

/**
 * Creates the application of the service. The application does not listen on a port yet.
 * @throws SettingsError for unusable plug-ins; DatabaseUnavailableError; DatabaseInUseError if another process uses the
 * SQLite file.
 */
export async function createApplication(settings: Settings): Promise<NestExpressApplication> {
  const { version } = readBuildInfo(import.meta.url, process.env);
  const plugins = await loadPlugins(settings.WORKFLOW_PLUGINS, version);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(settings, plugins),
    new HttpAdapter({ limit: connectionLimit(settings), tls: readTlsFiles(settings) }),
    { ...ROUTING, bodyParser: false, bufferLogs: true, abortOnError: false },
  );
  app.useLogger(app.get(ServiceLogger));
  const metrics = app.get<Metrics>(METRICS, { strict: false });
  configureHttp(app, settings, {
    formPaths: ['/v1/auth/token'],
    rawPrefix: HOOKS_PATH,
    beforeRouting: answerV0,
    ...(metrics === null ? {} : { onResponse: countRequests(metrics) }),
    ...(settings.ROLE === 'worker' && { onlyPaths: PROBES }),
  });
  const isWorker = settings.ROLE === 'worker';
  app.useWebSocketAdapter(
    new EventSocketAdapter(app, {
      basePath: basePathOf(settings.BASE_URL),
      refusesAll: isWorker,
      isAllowedOrigin: (origin, host) =>
        settings.CORS_ORIGINS.includes(origin) || isOwnOrigin(origin, host, settings.BASE_URL),
    }),
  );
  if (isWorker) return app;
  setupOpenApi(app, {
    title: 'Workflow Service',
    version: '1.0.0',
    description: DESCRIPTION,
    serverUrl: settings.BASE_URL?.replace(/\/+$/, '') ?? '/',
    basePath: basePathOf(settings.BASE_URL),
    extend: withV0Reads,
  });
  return app;
}

function connectionLimit(settings: Settings): {
  readonly maxUnauthenticated: number;
  readonly isProxy: (address: string) => boolean;
} {
  const proxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  return {
    maxUnauthenticated: settings.MAX_UNAUTHENTICATED_CONNECTIONS,
    isProxy: (address) => proxies.contains(address),
  };
}

/**
 * Counts requests in metrics by the pattern of their route. Paths with ids as labels would create an unlimited number
 * of time series.
 */
function countRequests(metrics: NonNullable<Metrics>): ResponseListener {
  return (
    request: IncomingMessage & { readonly route?: { readonly path?: unknown } },
    response,
    durationMs,
  ) => {
    const path = request.route?.path;
    metrics.countRequest(
      request.method ?? '',
      typeof path === 'string' ? path : undefined,
      response.statusCode,
      durationMs,
    );
  };
}
