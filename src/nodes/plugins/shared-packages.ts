/** Packages that plug-ins and the service must load from the same files, because both need identical classes. */
const SHARED = /^(?:@nestjs\/[^/]+|typeorm|reflect-metadata|rxjs|class-validator|class-transformer)(?:\/|$)/;

/**
 * Whether plug-ins must import a module from the service's copy of the package.
 * @param specifier the name of a package, or a package name with a path, such as `rxjs/operators`
 */
export function isShared(specifier: string): boolean {
  return SHARED.test(specifier);
}
