import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder, type StaticFile, StaticFiles } from '../static-files/index.js';
import { DashboardFileNotFoundError, DashboardMissingError } from './dashboard.errors.js';

/** The URL path that the build writes into the dashboard's files. */
const BUILT_PATH = '/dashboard';

/** The URL paths of the dashboard and the service, without a trailing slash. */
export interface DashboardPlace {
  readonly dashboardPath: string;
  readonly servicePath: string;
  /**
   * URL of a trace in a tracing system, with the placeholder `{trace_id}`. If absent, the dashboard shows trace ids
   * without links.
   */
  readonly traceUrlTemplate?: string | undefined;
}

export class Dashboard {
  /** The files of the dashboard, read at the first request. Many processes never serve the dashboard. */
  private files: StaticFiles | null = null;
  /**
   * Why the dashboard is unavailable, as a sentence fragment such as "it was not built". Null if the dashboard is
   * available.
   */
  readonly missingBecause: string | null;

  /**
   * @param folder output folder of `npm run build`
   */
  constructor(
    private readonly folder: string = builtFolder('dashboard'),
    private readonly place: DashboardPlace = { dashboardPath: BUILT_PATH, servicePath: '' },
  ) {
    this.missingBecause = StaticFiles.areIn(folder) ? null : reasonIn(folder);
  }

  /** URL path of the dashboard, without a trailing slash. */
  get path(): string {
    return this.place.dashboardPath;
  }

  /**
   * The dashboard file for a URL path below `/dashboard/`.
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

/**
 * A function that writes the configured URL paths into index.html. Undefined if the configuration has only default
 * values.
 */
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

/** Why the dashboard was not built. A failed build writes the reason to `build-failure.txt` in its output folder. */
function reasonIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'build-failure.txt'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it was not built';
    throw error;
  }
}
