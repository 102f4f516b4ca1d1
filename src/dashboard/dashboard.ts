import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type DashboardFile, DashboardFiles } from './dashboard-files.js';
import { DashboardFileNotFoundError, DashboardMissingError } from './dashboard.errors.js';

/** The dashboard as it was built, or the reason why there is none. */
export class Dashboard {
  /** Read for the first page that is asked for: not every service has somebody who looks at it. */
  private files: DashboardFiles | null = null;
  /** Half a sentence; null where the dashboard is there. */
  readonly missingBecause: string | null;

  /** @param folder where `npm run build` puts it */
  constructor(private readonly folder: string = builtFolder()) {
    this.missingBecause = DashboardFiles.areIn(folder) ? null : reasonIn(folder);
  }

  /**
   * What answers for a path below `/dashboard/`.
   * @throws DashboardFileNotFoundError, DashboardMissingError
   */
  file(path: string): DashboardFile {
    if (this.missingBecause !== null) throw new DashboardMissingError(this.missingBecause);
    this.files ??= DashboardFiles.read(this.folder);
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

/** A build that failed leaves its reason where the dashboard would be. */
function reasonIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'build-failure.txt'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it was not built';
    throw error;
  }
}
