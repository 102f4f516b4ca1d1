import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { Authenticated, Public, RequireScope, ROUTE_ACCESS } from './access.decorators.js';

describe('access decorators', () => {
  it('the `routeAccess` metadata of a handler contains the scope that `RequireScope` declares', () => {
    class Routes {
      @RequireScope('keys:read')
      list(): void {}
    }
    const handler: unknown = Reflect.get(Routes.prototype, 'list');
    expect(Reflect.getMetadata(ROUTE_ACCESS, handler as object)).toEqual({
      kind: 'scope',
      scope: 'keys:read',
    });
  });

  it('declaring two access decorators on one handler throws an error', () => {
    const declareTwice = () => {
      class Routes {
        @Public()
        @Authenticated()
        list(): void {}
      }
      return Routes;
    };
    expect(declareTwice).toThrow('Routes.list has more than one access decorator');
  });
});
