import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { SettingsError } from '../../settings/index.js';
import { NodeTypeMetadata } from '../node-type.decorator.js';
import { type LoadedPlugin, type Plugin, PLUGIN_API_VERSION } from './plugin.js';
import { PluginFault } from './plugin.errors.js';
import { type PluginPackage, readPluginPackage } from './plugin-package.js';
import { isShared } from './shared-packages.js';

const SETTING = 'WORKFLOW_PLUGINS';

/**
 * Directory of this file. A plug-in that is not installed for the working directory is searched from this directory.
 */
const OWN_DIRECTORY = dirname(fileURLToPath(import.meta.url));

/**
 * Imports and validates the plug-ins that `WORKFLOW_PLUGINS` lists, in the order of the setting.
 * @param serviceVersion version of this service, which must be in the version range that each plug-in's package
 * declares
 * @throws SettingsError with one message for each unusable plug-in
 */
export async function loadPlugins(
  given: readonly string[],
  serviceVersion: string,
): Promise<readonly LoadedPlugin[]> {
  if (given.length > 0) shareServicePackages();
  const loaded: LoadedPlugin[] = [];
  const faults: string[] = [];
  for (const one of given)
    try {
      const found = readPluginPackage(one, [process.cwd(), OWN_DIRECTORY]);
      await requireCompatible(found, serviceVersion);
      requireNew(found, loaded);
      loaded.push({ name: found.name, plugin: checkedPlugin(await importModule(found.entry)) });
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      faults.push(`${SETTING}: the plug-in "${one}" ${error.message}`);
    }
  if (faults.length > 0) throw new SettingsError(faults);
  return loaded;
}

let hooked = false;

/** URL of the service's root directory. */
const SERVICE = pathToFileURL(readPackageRoot(OWN_DIRECTORY)).href;

const OWN_PACKAGE = /^workflow-service(?:\/|$)/;

/**
 * Folder with the packages that `join.mjs` joined with the service. It exists beside the joined file of this module, and
 * not beside the compiled file.
 */
const JOINED_PACKAGES = join(import.meta.dirname, 'packages');

/**
 * Makes plug-ins import shared packages from the service. Nest does not recognize classes from a second copy of a
 * shared package.
 */
function shareServicePackages(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOwn = OWN_PACKAGE.test(specifier);
      if (!(isOwn || isShared(specifier)) || context.parentURL?.startsWith(SERVICE) === true)
        return next(specifier, context);
      const joined = join(JOINED_PACKAGES, `${specifier}.js`);
      if (existsSync(joined)) return next(pathToFileURL(joined).href, context);
      try {
        return next(specifier, { ...context, parentURL: import.meta.url });
      } catch (error) {
        // If the service lacks a shared package, the plug-in's own copy is used.
        if (isOwn) throw error;
        return next(specifier, context);
      }
    },
  });
}

function readPackageRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? `${folder}/` : readPackageRoot(dirname(folder));
}

async function requireCompatible({ range }: PluginPackage, serviceVersion: string): Promise<void> {
  if (range === null) return;
  // The library `semver` consists of 45 modules, so it is imported only for a plug-in that declares a version range.
  const { default: semver } = await import('semver');
  if (semver.validRange(range) === null)
    throw new PluginFault(
      `requires workflow-service "${range}", which is not a valid version range. Correct its package.json.`,
    );
  if (!semver.satisfies(serviceVersion, range, { includePrerelease: true }))
    throw new PluginFault(
      `requires workflow-service ${range}, but this service is ${serviceVersion}. Install a compatible version of the plug-in.`,
    );
}

function requireNew({ name }: PluginPackage, loaded: readonly LoadedPlugin[]): void {
  if (loaded.some((other) => other.name === name))
    throw new PluginFault(`is the package ${name}, which is already listed. List it only once.`);
}

async function importModule(entry: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>;
    return module['plugin'];
  } catch (error) {
    throw new PluginFault(
      `cannot be loaded (${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}). Fix the plug-in, or remove it from the setting.`,
      { cause: error },
    );
  }
}

const classSchema = z.custom<new () => object>((value) => typeof value === 'function');
const pluginSchema = z
  .strictObject({
    apiVersion: z.literal(PLUGIN_API_VERSION),
    nodeTypes: z.array(classSchema).optional(),
    providers: z.array(z.custom<NonNullable<Plugin['providers']>[number]>()).optional(),
    modules: z.array(z.union([classSchema, z.looseObject({ module: classSchema })])).optional(),
    migrations: z.array(classSchema).optional(),
  })
  .refine(({ nodeTypes = [], modules = [] }) => nodeTypes.length + modules.length > 0, {
    message: 'has neither "nodeTypes" nor "modules"',
  });

function checkedPlugin(exported: unknown): Plugin {
  if (typeof exported !== 'object' || exported === null)
    throw new PluginFault(
      'does not export "plugin". Write "export const plugin = definePlugin({ ... })", with definePlugin from workflow-service/node.',
    );
  const { apiVersion } = exported as { readonly apiVersion?: unknown };
  if (apiVersion !== PLUGIN_API_VERSION)
    throw new PluginFault(
      `uses version ${JSON.stringify(apiVersion) ?? 'none'} of the plug-in API, but this service has version ${PLUGIN_API_VERSION}. Install a compatible version of the plug-in.`,
    );
  const { data, error } = pluginSchema.safeParse(exported);
  if (data === undefined)
    throw new PluginFault(
      `exports an invalid "plugin": ${error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join(', ')}.`,
    );
  for (const type of data.nodeTypes ?? [])
    if (Reflect.getMetadata(NodeTypeMetadata.KEY, type) === undefined)
      throw new PluginFault(
        `lists the class ${type.name}, which has no @NodeType decorator. Add the decorator.`,
      );
  return exported as Plugin;
}
