import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { SettingsError } from '../../settings/index.js';
import { NodeTypeMetadata } from '../node-type.decorator.js';
import { type LoadedPlugin, type Plugin, PLUGIN_API_VERSION } from './plugin.js';
import { PluginFault } from './plugin.errors.js';
import { type PluginPackage, readPluginPackage } from './plugin-package.js';

const SETTING = 'WORKFLOW_PLUGINS';

/** Where this package is looked for, and what `WORKFLOW_PLUGINS` names besides what the working directory holds. */
const HERE = dirname(fileURLToPath(import.meta.url));

/**
 * Finds, reads and checks the plug-ins of the setting `WORKFLOW_PLUGINS`, in its order.
 * @param serviceVersion what their packages' ranges are compared with
 * @throws SettingsError with a sentence for each that cannot be used
 */
export async function loadPlugins(
  given: readonly string[],
  serviceVersion: string,
): Promise<readonly LoadedPlugin[]> {
  if (given.length > 0) {
    resolveServiceToItself();
    // A plug-in may import from `node:http` what was left out of it for those who have none.
    syncBuiltinESMExports();
  }
  const loaded: LoadedPlugin[] = [];
  const faults: string[] = [];
  for (const one of given)
    try {
      const found = readPluginPackage(one, [process.cwd(), HERE]);
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

/**
 * Wherever a plug-in lies, `workflow-service/node` is this very package: it needs no link to it in its own
 * `node_modules`, and a second copy there, whose decorators nobody here would know, does not count.
 */
function resolveServiceToItself(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      next(
        specifier,
        specifier.startsWith('workflow-service/') ? { ...context, parentURL: import.meta.url } : context,
      ),
  });
}

async function requireCompatible({ range }: PluginPackage, serviceVersion: string): Promise<void> {
  if (range === null) return;
  // Who has no plug-in needs none of its 45 modules.
  const { default: semver } = await import('semver');
  if (semver.validRange(range) === null)
    throw new PluginFault(
      `asks for workflow-service "${range}", which is no range of versions; correct its package.json.`,
    );
  if (!semver.satisfies(serviceVersion, range, { includePrerelease: true }))
    throw new PluginFault(
      `asks for workflow-service ${range}, and this is ${serviceVersion}; take a version of it that is made for this one.`,
    );
}

function requireNew({ name }: PluginPackage, loaded: readonly LoadedPlugin[]): void {
  if (loaded.some((other) => other.name === name))
    throw new PluginFault(`is the package ${name}, which is named already; name it once.`);
}

async function importModule(entry: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>;
    return module['plugin'];
  } catch (error) {
    throw new PluginFault(
      `cannot be loaded (${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}); mend it, or take it out of the setting.`,
      { cause: error },
    );
  }
}

const pluginSchema = z.strictObject({
  apiVersion: z.literal(PLUGIN_API_VERSION),
  nodeTypes: z.array(z.custom<Plugin['nodeTypes'][number]>((value) => typeof value === 'function')).min(1),
  providers: z.array(z.custom<NonNullable<Plugin['providers']>[number]>()).optional(),
});

function checkedPlugin(exported: unknown): Plugin {
  if (typeof exported !== 'object' || exported === null)
    throw new PluginFault(
      'exports no "plugin"; write "export const plugin = definePlugin({ ... })", with definePlugin from workflow-service/node.',
    );
  const { apiVersion } = exported as { readonly apiVersion?: unknown };
  if (apiVersion !== PLUGIN_API_VERSION)
    throw new PluginFault(
      `is written for version ${JSON.stringify(apiVersion) ?? 'none'} of the plug-in contract, and this service has version ${PLUGIN_API_VERSION}; take a version of it that is made for this one.`,
    );
  const { data, error } = pluginSchema.safeParse(exported);
  if (data === undefined)
    throw new PluginFault(
      `exports a "plugin" that is wrong: ${error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join(', ')}.`,
    );
  for (const type of data.nodeTypes)
    if (Reflect.getMetadata(NodeTypeMetadata.KEY, type) === undefined)
      throw new PluginFault(`lists the class ${type.name}, which carries no @NodeType; decorate it.`);
  return exported as Plugin;
}
