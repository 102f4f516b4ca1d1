import type { DynamicModule, Type } from '@nestjs/common';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { type RouteAccess, routeAccess } from '../access/index.js';

/** One HTTP route of the service. */
export interface Route {
  /** HTTP method; `ALL` stands for every method. A `GET` route also serves `HEAD`. */
  readonly method: string;
  /**
   * Path with parameters in OpenAPI syntax, such as `/v1/workflows/{id}`. `{*path}` matches every path without another
   * route.
   */
  readonly path: string;
  readonly access: RouteAccess;
}

/**
 * An entry of the `imports` of a Nest module. Forward references are not supported, because no module of this project
 * uses one.
 */
type ModuleReference = Type | DynamicModule | Promise<DynamicModule>;

/**
 * Public paths of the API documents. A middleware serves them before any guard runs, so no controller declares their
 * access.
 */
const DOCUMENTS = [
  '/openapi.json',
  '/swagger',
  '/swagger/start.js',
  '/swagger/swagger-ui.css',
  '/swagger/swagger-ui-bundle.js',
  '/swagger/favicon-32x32.png',
];

/**
 * Returns all HTTP routes of a Nest module and its imports, sorted by path. Reads the metadata of the controllers
 * without instantiating them.
 * @throws TypeError if a handler declares no access rule, which would also prevent the service from starting
 */
export async function routeTable(module: ModuleReference): Promise<readonly Route[]> {
  const controllers = new Set<Type>();
  await collectControllers(module, controllers, new Set());
  const routes = [
    ...DOCUMENTS.map((path): Route => ({ method: 'GET', path, access: { kind: 'public' } })),
    ...[...controllers].flatMap(routesOf),
  ];
  return routes.sort((left, right) => compare(left.path, right.path) || compare(left.method, right.method));
}

/** Returns the scope that a route requires; `public` or `authenticated` if the route requires no scope. */
export function requiredAccess(access: RouteAccess): string {
  return access.kind === 'scope' ? access.scope : access.kind;
}

async function collectControllers(
  reference: ModuleReference,
  found: Set<Type>,
  seen: Set<ModuleReference>,
): Promise<void> {
  if (seen.has(reference)) return;
  seen.add(reference);
  const module = await reference;
  const metatype = 'module' in module ? module.module : module;
  const dynamic = 'module' in module ? module : undefined;
  for (const controller of [
    ...(declaredBy(metatype, MODULE_METADATA.CONTROLLERS) as readonly Type[]),
    ...(dynamic?.controllers ?? []),
  ])
    found.add(controller);
  for (const imported of [
    ...declaredBy(metatype, MODULE_METADATA.IMPORTS),
    ...((dynamic?.imports ?? []) as readonly ModuleReference[]),
  ])
    await collectControllers(imported, found, seen);
}

function declaredBy(metatype: Type, key: string): readonly ModuleReference[] {
  return (Reflect.getMetadata(key, metatype) as readonly ModuleReference[] | undefined) ?? [];
}

function routesOf(controller: Type): readonly Route[] {
  const prototype = controller.prototype as object;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = Reflect.get(prototype, name) as object;
    const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (verb === undefined) return [];
    const access = routeAccess(handler);
    if (access === undefined)
      throw new TypeError(
        `${controller.name}.${name} has no access decorator. Add @Public(), @Authenticated() or @RequireScope().`,
      );
    return pathsOf(controller).flatMap((start) =>
      pathsOf(handler).map((end): Route => ({
        method: RequestMethod[verb],
        path: joined(start, end),
        access,
      })),
    );
  });
}

function pathsOf(target: object): readonly string[] {
  const paths = Reflect.getMetadata(PATH_METADATA, target) as string | readonly string[] | undefined;
  return typeof paths === 'object' ? paths : [paths ?? ''];
}

function joined(...parts: readonly string[]): string {
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return `/${segments.map((segment) => segment.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
