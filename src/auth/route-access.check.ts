import { Injectable, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { routeAccess } from '../access/index.js';

/** Thrown at start when routes declare no access rule. The message names all these routes. */
export class UndeclaredRouteError extends Error {
  override readonly name = 'UndeclaredRouteError';

  constructor(routes: readonly string[]) {
    super(
      `These routes declare no access: ${routes.join(', ')}. Add @Public(), @Authenticated() or @RequireScope() to each.`,
    );
  }
}

/** Prevents the start of the service if a route declares no access rule. */
@Injectable()
export class RouteAccessCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws UndeclaredRouteError */
  onModuleInit(): void {
    const undeclared = this.discovery.getControllers().flatMap(({ metatype, name }) => {
      const prototype: unknown = metatype?.prototype;
      if (typeof prototype !== 'object' || prototype === null) return [];
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((method) => isUndeclaredRoute(Reflect.get(prototype, method)))
        .map((method) => `${name}.${method}`);
    });
    if (undeclared.length > 0) throw new UndeclaredRouteError(undeclared);
  }
}

function isUndeclaredRoute(method: unknown): boolean {
  if (typeof method !== 'function') return false;
  const verb: unknown = Reflect.getMetadata(METHOD_METADATA, method);
  return verb !== undefined && routeAccess(method) === undefined;
}
