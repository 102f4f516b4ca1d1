import express, { type Express, type Request, type Response } from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { indexedRoutes, type IndexedRouter } from './route-index.js';

let server: Server | undefined;
afterEach(() => server?.close());

/**
 * Starts an application whose routes respond with their own path and the values of their path parameters.
 * @returns the URL of the application
 */
async function listening(register: (app: Express) => void): Promise<string> {
  const app = express();
  const router = app.router as unknown as IndexedRouter;
  app.use(indexedRoutes(router));
  register(app);
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function route(path: string): (request: Request, response: Response) => void {
  return (request, response) => void response.json({ path, params: { ...request.params } });
}

describe('indexedRoutes', () => {
  const PATHS = ['/', '/v1/items/stats', '/v1/items', '/v1/items/:id', '/v1/items/:id/parts', '/:room/items'];
  const all = (app: Express): void => {
    for (const path of PATHS) app.get(path, route(path));
    app.delete('/v1/items/:id', route('delete'));
    app.all('/{*path}', route('unknown'));
  };

  it.each([
    ['/', '/'],
    ['/v1/items', '/v1/items'],
    ['/v1/items/', '/v1/items'],
    ['/v1/items?a=/b/c', '/v1/items'],
    ['/v1/items/stats', '/v1/items/stats'],
    ['/v1/items/7', '/v1/items/:id'],
    ['/v1/items/a%2Fb', '/v1/items/:id'],
    ['/v1/items/7/parts', '/v1/items/:id/parts'],
    ['/v2/items', '/:room/items'],
    ['/v1/items/7/nothing', 'unknown'],
    ['/nowhere', 'unknown'],
  ])('the route index sends a request for %s to the route %s', async (path, expected) => {
    const url = await listening(all);
    expect(await (await fetch(url + path)).json()).toMatchObject({ path: expected });
  });

  it('the route index decodes percent-encoded path parameters', async () => {
    const url = await listening(all);
    expect(await (await fetch(`${url}/v1/items/a%2Fb`)).json()).toMatchObject({ params: { id: 'a/b' } });
  });

  it('the route index tries routes in the order of their registration', async () => {
    const url = await listening((app) => {
      app.get('/:room/items', route('first'));
      app.get('/v1/items', route('second'));
    });
    expect(await (await fetch(`${url}/v1/items`)).json()).toMatchObject({ path: 'first' });
  });

  it('the route index passes an OPTIONS request to the route that matches every path', async () => {
    const url = await listening(all);
    const response = await fetch(`${url}/v1/items`, { method: 'OPTIONS' });
    expect(await response.json()).toMatchObject({ path: 'unknown' });
  });

  it('if a route handler throws, the route index passes the error to the error handlers of the router', async () => {
    const url = await listening((app) => {
      app.get('/v1/items', () => {
        throw new Error('broken');
      });
      app.use((error: Error, _: Request, response: Response, __: () => void) => {
        response.status(500).json({ message: error.message });
      });
    });
    expect(await (await fetch(`${url}/v1/items`)).json()).toEqual({ message: 'broken' });
  });

  it('the route index includes routes that are registered after the first request', async () => {
    let app: Express | undefined;
    const url = await listening((own) => (app = own));
    expect((await fetch(`${url}/v1/late`)).status).toBe(404);
    app?.get('/v1/late', route('/v1/late'));
    expect(await (await fetch(`${url}/v1/late`)).json()).toMatchObject({ path: '/v1/late' });
  });
});
