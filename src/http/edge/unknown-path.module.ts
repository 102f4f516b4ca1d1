import { All, Controller, type DynamicModule, Inject, Module, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MethodNotAllowedError, UnknownPathError } from '../../errors/index.js';
import { AnyInput } from '../validation/input.guard.js';
import { allowedMethods, readsAmong, type RouteTable } from './allowed-methods.js';

/** Route pattern that matches every path, including the root. */
const EVERY_PATH = '{*path}';

@Module({})
export class UnknownPathModule {
  /**
   * Creates the module with the catch-all route. The module must be the last import of the root module, because NestJS
   * tries routes in the order of imports.
   * @param access guard that must admit a caller before the response reveals that a path does not exist
   * @param successorOf returns the new path that replaces an old path; undefined for other paths
   */
  static guardedBy(
    access: MethodDecorator,
    successorOf: (path: string) => string | undefined = () => undefined,
  ): DynamicModule {
    @ApiExcludeController()
    @Controller()
    class UnknownPathController {
      constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

      /** @throws UnknownPathError, or MethodNotAllowedError if the path exists for another method */
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
