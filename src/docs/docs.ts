import { builtFolder, type StaticFile, StaticFiles } from '../static-files/index.js';
import { DocsMissingError, DocsPageNotFoundError } from './docs.errors.js';

export class Docs {
  /**
   * Files of the built docs site; null until the site is built, because `npm start` builds the site while the service
   * runs.
   */
  private files: StaticFiles | null = null;

  /** @param folder output folder of `npm run docs` */
  constructor(private readonly folder: string = builtFolder('docs')) {}

  /**
   * Returns the file at a path of the docs site. The path of a page may omit `.html`.
   * @throws DocsPageNotFoundError, DocsMissingError
   */
  file(path: string): StaticFile {
    this.files ??= StaticFiles.read(this.folder);
    if (this.files === null) throw new DocsMissingError();
    const file =
      this.files.file(path.endsWith('/') || path === '' ? `${path}index.html` : path) ??
      this.files.file(`${path}.html`);
    if (file === undefined) throw new DocsPageNotFoundError();
    return file;
  }
}
