import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type DashboardFile, DashboardFiles } from './dashboard-files.js';
import { DashboardFileNotFoundError, DashboardMissingError } from './dashboard.errors.js';

/** The path for which it is built. */
const BUILT_PATH = '/dashboard';

/** Where browsers find the dashboard and the API, without a slash at the end. */
export interface DashboardPlace {
  readonly dashboardPath: string;
  readonly servicePath: string;
  /** URL of a trace, with `{trace_id}` in it; without one, trace ids are no links. */
  readonly traceUrlTemplate?: string | undefined;
}

/** The dashboard as it was built, or the reason why there is none. */
export class Dashboard {
  /** Read for the first page that is asked for: not every service has somebody who looks at it. */
  private files: DashboardFiles | null = null;
  /** Half a sentence; null where the dashboard is there. */
  readonly missingBecause: string | null;

  /**
   * @param folder where `npm run build` puts it
   * @param place the paths below which browsers reach it and the API
   */
  constructor(
    private readonly folder: string = builtFolder(),
    private readonly place: DashboardPlace = { dashboardPath: BUILT_PATH, servicePath: '' },
  ) {
    this.missingBecause = DashboardFiles.areIn(folder) ? null : reasonIn(folder);
  }

  /** Where browsers find it, without a slash at the end. */
  get path(): string {
    return this.place.dashboardPath;
  }

  /**
   * What answers for a path below `/dashboard/`.
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

/** Undefined where the document is right as it was built. */
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

/** A build that failed leaves its reason where the dashboard would be. */
function reasonIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'build-failure.txt'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it was not built';
    throw error;
  }
}
