/**
 * `npm run sbom`: writes the software bill of materials to coverage/sbom.cdx.json. Fails if the bill lacks a package of
 * the lock file.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './sources.mjs';

const FILE = join(ROOT, 'coverage', 'sbom.cdx.json');
const WORDS = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];

const bom = JSON.parse(
  execFileSync('npm', WORDS, { cwd: ROOT, maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'inherit'] }),
);
// npm names the project after its folder, so the name in package.json replaces the folder name.
bom.metadata.component.name = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).name;
mkdirSync(dirname(FILE), { recursive: true });
writeFileSync(FILE, `${JSON.stringify(bom, null, 2)}\n`);

const hashed = new Set(
  bom.components.filter(({ hashes }) => hashes?.length > 0).map((one) => one['bom-ref']),
);
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const absent = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
  .filter((reference) => !hashed.has(reference));
for (const reference of absent)
  process.stderr.write(`${reference}: missing from the bill of materials, or without a hash\n`);
process.stdout.write(`${relative(ROOT, FILE)}: ${bom.components.length} components\n`);
process.exitCode = absent.length === 0 ? 0 : 1;
