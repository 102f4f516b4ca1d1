import { hash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** Ways in which a file lies there compressed, the smallest first: the name of the encoding and its ending. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

/** What stands below this has a hash of its contents in its name. */
const HASHED = 'assets/';
const INDEX = 'index.html';

export type Encoding = (typeof ENCODINGS)[number][0] | 'identity';

/** A file of the built dashboard, as it is sent. */
export interface DashboardFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly bodies: ReadonlyMap<Encoding, { readonly bytes: Buffer; readonly etag: string }>;
}

/**
 * The built dashboard: less than three megabytes, read once and kept. Only what was there by then is served, so no
 * request's path ever reaches the file system.
 */
export class DashboardFiles {
  private constructor(private readonly files: ReadonlyMap<string, DashboardFile>) {}

  static areIn(folder: string): boolean {
    return existsSync(join(folder, INDEX));
  }

  /**
   * @param adapt changes the document, which names the paths of the other files
   * @returns null where the folder holds no built dashboard
   */
  static read(folder: string, adapt?: (document: string) => string): DashboardFiles | null {
    const files = new Map<string, DashboardFile>();
    for (const path of pathsBelow(folder)) {
      const type = TYPES[extname(path)];
      if (type !== undefined) files.set(path, fileAt(folder, path, type));
    }
    const index = files.get(INDEX);
    if (index !== undefined && adapt !== undefined) files.set(INDEX, adapted(index, adapt));
    return files.has(INDEX) ? new DashboardFiles(files) : null;
  }

  /**
   * What answers for a path below `/dashboard/`. Paths of pages are all the one document, whose script knows them;
   * a file that is missing is undefined and not that document, which nobody could run as a script.
   */
  at(path: string): DashboardFile | undefined {
    const file = this.files.get(path);
    if (file !== undefined) return file;
    return path.startsWith(HASHED) || extname(path) in TYPES ? undefined : this.files.get(INDEX);
  }
}

function pathsBelow(folder: string): readonly string[] {
  let entries: readonly Dirent[] = [];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

function fileAt(folder: string, path: string, type: string): DashboardFile {
  const bodies = new Map<Encoding, { readonly bytes: Buffer; readonly etag: string }>();
  const add = (encoding: Encoding, ending: string): void => {
    const bytes = contentsOf(join(folder, path + ending));
    if (bytes !== null) bodies.set(encoding, { bytes, etag: etagOf(bytes) });
  };
  for (const [encoding, ending] of ENCODINGS) add(encoding, ending);
  add('identity', '');
  return {
    type,
    cacheControl: path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    bodies,
  };
}

function adapted(file: DashboardFile, adapt: (document: string) => string): DashboardFile {
  const bytes = Buffer.from(adapt(file.bodies.get('identity')?.bytes.toString() ?? ''));
  // It is short: sent as it is.
  return { ...file, bodies: new Map([['identity', { bytes, etag: etagOf(bytes) }]]) };
}

function etagOf(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

function contentsOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
