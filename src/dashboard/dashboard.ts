import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type StaticFile, StaticFiles } from '../static-files/index.js';
import { DashboardFileNotFoundError, DashboardMissingError } from './dashboard.errors.js';

/** The base path for which the dashboard is built. */
const BUILT_PATH = '/dashboard';

/** Paths without a trailing slash. */
export interface DashboardPlace {
  readonly dashboardPath: string;
  readonly servicePath: string;
  /** URL with the placeholder `{trace_id}`. If absent, trace ids have no links. */
  readonly traceUrlTemplate?: string | undefined;
}

export class Dashboard {
  /** Read at the first request, because many services never serve a page. */
  private files: StaticFiles | null = null;
  /** A sentence fragment; null if the dashboard is available. */
  readonly missingBecause: string | null;

  /**
   * @param folder output folder of `npm run build`
   */
  constructor(
    private readonly folder: string = builtFolder(),
    private readonly place: DashboardPlace = { dashboardPath: BUILT_PATH, servicePath: '' },
  ) {
    this.missingBecause = StaticFiles.areIn(folder) ? null : reasonIn(folder);
  }

  /** Without a trailing slash. */
  get path(): string {
    return this.place.dashboardPath;
  }

  /**
   * The file for a path below `/dashboard/`.
   * @throws DashboardFileNotFoundError, DashboardMissingError
   */
  file(path: string): StaticFile {
    if (this.missingBecause !== null) throw new DashboardMissingError(this.missingBecause);
    this.files ??= StaticFiles.read(this.folder, adapterFor(this.place));
    if (this.files === null) throw new DashboardMissingError(reasonIn(this.folder));
    const file = this.files.fileOrIndex(path);
    if (file === undefined) throw new DashboardFileNotFoundError();
    return file;
  }
}

function builtFolder(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('There is no package.json above the code.');
  return join(dirname(manifest), 'dashboard', 'dist');
}

/** Writes the actual paths into index.html; undefined if they equal the paths of the build. */
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

/** Escapes a URL for an HTML attribute. */
function escaped(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** The build writes the reason into a file in its output folder. */
function reasonIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'build-failure.txt'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it was not built';
    throw error;
  }
}
