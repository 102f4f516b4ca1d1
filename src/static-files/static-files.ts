import { hash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** Encodings of precompressed files and their file extensions. The encoding with the smallest files comes first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

/** Path prefix of files whose names contain a hash of their content. Browsers may cache these files for a year. */
const HASHED = 'assets/';
const INDEX = 'index.html';

export type Encoding = (typeof ENCODINGS)[number][0] | 'identity';

export interface StaticFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly bodies: ReadonlyMap<Encoding, { readonly bytes: Buffer; readonly etag: string }>;
}

/**
 * Keeps the files of a built site in memory. The path of a request is never used in the file system, which prevents
 * path traversal.
 */
export class StaticFiles {
  private constructor(private readonly files: ReadonlyMap<string, StaticFile>) {}

  static areIn(folder: string): boolean {
    return existsSync(join(folder, INDEX));
  }

  /**
   * @param adapt changes index.html, which contains the paths of the other files
   *
   * @returns null if the folder contains no built site
   */
  static read(folder: string, adapt?: (document: string) => string): StaticFiles | null {
    const files = new Map<string, StaticFile>();
    for (const path of pathsBelow(folder)) {
      const type = TYPES[extname(path)];
      if (type !== undefined) files.set(path, fileAt(folder, path, type));
    }
    const index = files.get(INDEX);
    if (index !== undefined && adapt !== undefined) files.set(INDEX, adapted(index, adapt));
    return files.has(INDEX) ? new StaticFiles(files) : null;
  }

  /** Returns the file at a path relative to the site's root, such as `assets/app.js`. */
  file(path: string): StaticFile | undefined {
    return this.files.get(path);
  }

  /**
   * Returns the file for a path of a site with client-side routing. An unknown page path returns index.html; an unknown
   * asset path returns undefined.
   */
  fileOrIndex(path: string): StaticFile | undefined {
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

function fileAt(folder: string, path: string, type: string): StaticFile {
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

function adapted(file: StaticFile, adapt: (document: string) => string): StaticFile {
  const bytes = Buffer.from(adapt(file.bodies.get('identity')?.bytes.toString() ?? ''));
  // The changed index.html is sent uncompressed, because the file is short.
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
