import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

/** A local package registry from which npm can install packages. */
export class PackageRegistry {
  private readonly archives = new Map<string, Buffer>();
  private readonly manifests = new Map<string, Manifest>();
  private readonly server = createServer(({ url = '' }, response) => {
    const manifest = this.manifests.get(url);
    const body = this.archives.get(url) ?? (manifest && JSON.stringify(this.packument(manifest)));
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });

  /** @param folder where the archives of packages are written */
  constructor(private readonly folder: string) {}

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Adds a package to the registry. @param files contents of the package's files by path, without package.json */
  publish(manifest: Manifest, files: Readonly<Record<string, string>>): void {
    const source = join(this.folder, manifest.name);
    mkdirSync(source, { recursive: true });
    for (const [path, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files }))
      writeFileSync(join(source, path), text);
    execFileSync('npm', ['pack', '--ignore-scripts', source], { cwd: this.folder, stdio: 'pipe' });
    const archive = `${manifest.name}-${manifest.version}.tgz`;
    this.archives.set(`/${archive}`, readFileSync(join(this.folder, archive)));
    this.manifests.set(`/${manifest.name}`, manifest);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private packument(manifest: Manifest): object {
    const { name, version } = manifest;
    const path = `/${name}-${version}.tgz`;
    const integrity = `sha512-${createHash('sha512')
      .update(this.archives.get(path) ?? '')
      .digest('base64')}`;
    return {
      name,
      'dist-tags': { latest: version },
      versions: {
        [version]: {
          ...manifest,
          hasInstallScript: manifest.scripts !== undefined,
          dist: { tarball: `${this.url.slice(0, -1)}${path}`, integrity },
        },
      },
    };
  }
}
