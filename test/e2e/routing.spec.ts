import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule, Type } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { ROUTING } from '../../src/application.js';
import { EventSocketAdapter } from '../../src/events/index.js';
import { HttpAdapter } from '../../src/http/index.js';
import type { RouteTable } from '../../src/http/edge/allowed-methods.js';
import { readSettings } from '../../src/settings/index.js';

const ID = '0199a8c0-2222-7abc-8def-0123456789ab';

describe('routes', () => {
  let directory: string;
  let restore: (() => void)[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'workflow-service-'));
  });
  afterEach(() => {
    for (const undo of restore) undo();
    restore = [];
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(['original', 'reverse'])(
    'every route handles the requests to its own path if modules and controllers are registered in %s order',
    async (order) => {
      const root = AppModule.forRoot(
        readSettings({
          NODE_ENV: 'test',
          LOG_LEVEL: 'silent',
          DATABASE_URL: `sqlite://${directory}/a.sqlite`,
        }),
      );
      const modules = (root.imports ?? []) as readonly (DynamicModule | Type)[];
      if (order === 'reverse') {
        root.imports = modules.toReversed();
        restore = modules.map(reverseControllers);
      }
      const app = await NestFactory.create<NestExpressApplication>(root, new HttpAdapter(), {
        ...ROUTING,
        bodyParser: false,
        logger: false,
      });
      app.useWebSocketAdapter(new EventSocketAdapter(app));
      await app.init();
      const { httpAdapter } = app.get(HttpAdapterHost);
      const { router } = httpAdapter.getInstance<{ readonly router: RouteTable }>();
      const hidden = routesOf(router).filter(
        ({ method, path }) => firstFor(router, method, path.replace(/:\w+/g, ID)) !== path,
      );
      expect(hidden).toEqual([]);
      expect(firstFor(router, 'get', '/v1/executions/stats')).toBe('/v1/executions/stats');
      expect(firstFor(router, 'get', '/nowhere')).toBe('/{*path}');
      await app.close();
    },
  );
});

/**
 * Reverses the order of a module's controllers.
 * @returns a function that restores the order
 */
function reverseControllers(module: DynamicModule | Type): () => void {
  if ('module' in module) {
    const { controllers } = module;
    if (controllers !== undefined) module.controllers = controllers.toReversed();
    return () => undefined;
  }
  const controllers = (Reflect.getMetadata('controllers', module) ?? []) as readonly Type[];
  Reflect.defineMetadata('controllers', controllers.toReversed(), module);
  return () => Reflect.defineMetadata('controllers', controllers, module);
}

function routesOf({ stack }: RouteTable): readonly { readonly method: string; readonly path: string }[] {
  return stack.flatMap(({ route }) =>
    typeof route?.path === 'string' && !route.path.includes('{*')
      ? Object.keys(route.methods).map((method) => ({ method, path: route.path as string }))
      : [],
  );
}

function firstFor({ stack }: RouteTable, method: string, path: string): unknown {
  return stack.find(
    (layer) =>
      layer.route !== undefined &&
      (layer.route.methods[method] === true || layer.route.methods['_all'] === true) &&
      layer.match(path) !== false,
  )?.route?.path;
}
