import { All, Controller, type DynamicModule, Inject, Module, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MethodNotAllowedError, UnknownPathError } from '../../errors/index.js';
import { AnyInput } from '../validation/input.guard.js';
import { allowedMethods, readsAmong, type RouteTable } from './allowed-methods.js';

/** Matches every path, the root too. */
const EVERY_PATH = '{*path}';

/** The last route: it lets the guards speak first and then says that there is nothing here. */
@Module({})
export class UnknownPathModule {
  /**
   * Import it last: routes are tried in the order of the modules.
   * @param access what the guards are to ask of a caller before it is told that a path does not exist
   * @param successorOf the path whose reads alone a path answers, too; undefined for a path of its own
   */
  static guardedBy(
    access: MethodDecorator,
    successorOf: (path: string) => string | undefined = () => undefined,
  ): DynamicModule {
    @ApiExcludeController()
    @Controller()
    class UnknownPathController {
      constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

      /** @throws UnknownPathError, or MethodNotAllowedError where another method would be right */
      @access
      @AnyInput()
      @All(EVERY_PATH)
      answer(@Req() request: Request, @Res() response: Response): void {
        const { router } = this.host.httpAdapter.getInstance<{ readonly router: RouteTable }>();
        const successor = successorOf(request.path);
        const methods = allowedMethods(router, successor ?? request.path, `/${EVERY_PATH}`);
        const allowed = successor === undefined ? methods : readsAmong(methods);
        if (allowed.length === 0) throw new UnknownPathError();
        if (request.method !== 'OPTIONS') throw new MethodNotAllowedError(request.method, allowed);
        response.status(204).setHeader('Allow', allowed.join(', '));
        response.end();
      }
    }
    return { module: UnknownPathModule, controllers: [UnknownPathController] };
  }
}
