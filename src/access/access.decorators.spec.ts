import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { Authenticated, Public, RequireScope, ROUTE_ACCESS } from './access.decorators.js';

describe('access declarations', () => {
  it('are read from the handler', () => {
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

  it('two declarations on one handler are refused', () => {
    const declareTwice = () => {
      class Routes {
        @Public()
        @Authenticated()
        list(): void {}
      }
      return Routes;
    };
    expect(declareTwice).toThrow('Routes.list declares its access twice');
  });
});
