import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly purl: string }[];
}

describe('npm run signatures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-signatures-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Runs `npm run signatures` with a fake `npm`, because not every machine can reach the registry.
   * @param answer output of the fake `npm audit signatures --json`
   */
  async function check(answer: object): Promise<{ code: number; stdout: string; stderr: string }> {
    writeFileSync(join(folder, 'answer.json'), JSON.stringify(answer));
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat "${join(folder, 'answer.json')}"\nexit 1\n`, {
      mode: 0o755,
    });
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
    try {
      return { code: 0, ...(await run(process.execPath, ['tools/scripts/signatures.mjs'], { env })) };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  }

  it('`npm run signatures` passes if the registry signature of every package is valid', async () => {
    expect(await check({ invalid: [], missing: [] })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each(['invalid', 'missing'])(
    '`npm run signatures` fails and names the package if a registry signature is %s',
    async (fault) => {
      const answer = { invalid: [], missing: [], [fault]: [{ name: 'left', version: '1.2.3' }] };
      expect(await check(answer)).toMatchObject({
        code: 1,
        stderr: `left@1.2.3: ${fault} registry signature\n`,
      });
    },
  );

  it.each(['ENOTFOUND', 'ECONNREFUSED', 'E503'])(
    '`npm run signatures` passes with a note if the registry does not respond (%s)',
    async (code) => {
      expect(await check({ error: { code, summary: 'request failed' } })).toEqual({
        code: 0,
        stdout: `Note: package signatures were not verified, because the registry did not respond (${code}).\n`,
        stderr: '',
      });
    },
  );

  it('`npm run signatures` fails if npm reports an error other than an unreachable registry', async () => {
    expect(await check({ error: { code: 'EUSAGE', summary: 'unknown command' } })).toMatchObject({
      code: 1,
      stderr: 'npm audit signatures failed: EUSAGE unknown command\n',
    });
  });
});

it('`npm run sbom` writes a bill of materials in CycloneDX format with every direct dependency', async () => {
  rmSync('coverage/sbom.cdx.json', { force: true });
  await run(process.execPath, ['tools/scripts/sbom.mjs']);
  const bom = JSON.parse(readFileSync('coverage/sbom.cdx.json', 'utf8')) as Bom;
  const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    version: string;
    dependencies: Readonly<Record<string, string>>;
  };
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'workflow-service', version } },
  });
  const packages = new Set(bom.components.map(({ purl }) => decodeURIComponent(purl)));
  const wanted = Object.entries(dependencies).map(([name, one]) => `pkg:npm/${name}@${one}`);
  expect(wanted.filter((purl) => !packages.has(purl))).toEqual([]);
});
