import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type DashboardFile, DashboardFiles } from './dashboard-files.js';
import { DashboardFileNotFoundError, DashboardMissingError } from './dashboard.errors.js';

/** The dashboard as it was built, or the reason why there is none. */
export class Dashboard {
  private readonly files: DashboardFiles | null;
  /** Half a sentence; null where the dashboard is there. */
  readonly missingBecause: string | null;

  /** @param folder where `npm run build` puts it */
  constructor(folder: string = builtFolder()) {
    this.files = DashboardFiles.read(folder);
    this.missingBecause = this.files === null ? reasonIn(folder) : null;
  }

  /**
   * What answers for a path below `/dashboard/`.
   * @throws DashboardFileNotFoundError, DashboardMissingError
   */
  file(path: string): DashboardFile {
    if (this.files === null) throw new DashboardMissingError(this.missingBecause ?? '');
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
