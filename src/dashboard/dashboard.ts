import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type DashboardFile, DashboardFiles } from './dashboard-files.js';
import { DashboardFileNotFoundError, DashboardMissingError } from './dashboard.errors.js';

/** The base path of the build. */
const BUILT_PATH = '/dashboard';

/** Paths of the dashboard and the API as browsers reach them, without a trailing slash. */
export interface DashboardPlace {
  readonly dashboardPath: string;
  readonly servicePath: string;
  /** URL of a trace, with `{trace_id}` in it; without one, trace ids are no links. */
  readonly traceUrlTemplate?: string | undefined;
}

/** The built dashboard, or the reason why it is unavailable. */
export class Dashboard {
  /** Read at the first request of a page: many services never serve one. */
  private files: DashboardFiles | null = null;
  /** Why the dashboard is unavailable (sentence fragment); null if it is available. */
  readonly missingBecause: string | null;

  /**
   * @param folder output folder of `npm run build`
   * @param place the paths at which browsers reach the dashboard and the API
   */
  constructor(
    private readonly folder: string = builtFolder(),
    private readonly place: DashboardPlace = { dashboardPath: BUILT_PATH, servicePath: '' },
  ) {
    this.missingBecause = DashboardFiles.areIn(folder) ? null : reasonIn(folder);
  }

  /** Its path as browsers reach it, without a trailing slash. */
  get path(): string {
    return this.place.dashboardPath;
  }

  /**
   * The file for a path below `/dashboard/`.
   * @throws DashboardFileNotFoundError, DashboardMissingError
   */
  file(path: string): DashboardFile {
    if (this.missingBecause !== null) throw new DashboardMissingError(this.missingBecause);
    this.files ??= DashboardFiles.read(this.folder, adapterFor(this.place));
    if (this.files === null) throw new DashboardMissingError(reasonIn(this.folder));
    const file = this.files.at(path);
    if (file === undefined) throw new DashboardFileNotFoundError();
    return file;
  }
}

function builtFolder(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('There is no package.json above the code.');
  return join(dirname(manifest), 'dashboard', 'dist');
}

/** Undefined if index.html needs no changes. */
function adapterFor({
  dashboardPath,
  servicePath,
  traceUrlTemplate = '',
}: DashboardPlace): ((document: string) => string) | undefined {
  if (dashboardPath === BUILT_PATH && servicePath === '' && traceUrlTemplate === '') return undefined;
  return (document) =>
    document
      .replace(
        'name="trace-url-template" content=""',
        () => `name="trace-url-template" content="${escaped(traceUrlTemplate)}"`,
      )
      .replaceAll(`="${BUILT_PATH}/`, `="${escaped(dashboardPath)}/`)
      .replace('name="service-path" content=""', `name="service-path" content="${escaped(servicePath)}"`);
}

/** In a URL, only these could end an attribute or begin a reference. */
function escaped(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** A failed build writes its reason to a file in the output folder. */
function reasonIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'build-failure.txt'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it was not built';
    throw error;
  }
}
