import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const MODULES = resolve('node_modules');

/** The folder of a plug-in outside this repository, in the state after `npm install`. */
export class PluginFolder {
  /** @param path an existing folder, or one that `copy` created */
  constructor(readonly path: string) {
    mkdirSync(join(path, 'node_modules', '@types'), { recursive: true });
    // npm installs a dependency from a local folder as a symbolic link. So this code creates symbolic links,
    // too.
    symlinkSync(resolve('.'), join(path, 'node_modules', 'workflow-service'), 'dir');
    symlinkSync(join(MODULES, '@types/node'), join(path, 'node_modules/@types/node'), 'dir');
    for (const name of this.peers()) {
      mkdirSync(dirname(join(path, 'node_modules', name)), { recursive: true });
      symlinkSync(join(MODULES, name), join(path, 'node_modules', name), 'dir');
    }
    mkdirSync(join(path, 'node_modules/.bin'));
    for (const bin of ['node', 'tsc'])
      symlinkSync(join(MODULES, '.bin', bin), join(path, 'node_modules/.bin', bin));
  }

  static copy(from: string, to: string): PluginFolder {
    cpSync(from, to, {
      recursive: true,
      filter: (path) => !path.includes('node_modules') && !path.endsWith('dist'),
    });
    return new PluginFolder(to);
  }

  /** @throws Error with the compiler's output */
  compile(): void {
    this.run(join(MODULES, 'typescript/bin/tsc'));
  }

  /** Runs the tests of the plug-in with the installed npm. @throws Error with the output if a test fails */
  test(): void {
    this.execute('npm', 'test');
  }

  /** Lints the plug-in with the rules of this project. @throws Error with the output if a rule is violated */
  lint(): void {
    this.run(
      join(MODULES, 'oxlint/bin/oxlint'),
      '-c',
      resolve('.oxlintrc.json'),
      '--type-aware',
      '--deny-warnings',
      'src',
    );
    this.run(
      join(MODULES, 'prettier/bin/prettier.cjs'),
      '--config',
      resolve('.prettierrc.json'),
      '--check',
      'src',
      '*.md',
    );
  }

  /** Returns the peer dependencies of the plug-in, without the service itself. */
  private peers(): readonly string[] {
    const file = join(this.path, 'package.json');
    if (!existsSync(file)) return [];
    const { peerDependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly peerDependencies?: Readonly<Record<string, string>>;
    };
    return Object.keys(peerDependencies).filter((name) => name !== 'workflow-service');
  }

  private run(...words: readonly string[]): void {
    this.execute(process.execPath, ...words);
  }

  private execute(program: string, ...words: readonly string[]): void {
    // `NODE_TEST_CONTEXT` is removed, because a nested test runner that inherits this variable reports to the outer
    // test runner.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    try {
      execFileSync(program, words, {
        cwd: this.path,
        stdio: 'pipe',
        env: { ...env, OXLINT_TSGOLINT_PATH: join(MODULES, '.bin/tsgolint') },
      });
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: Buffer; readonly stderr: Buffer };
      throw new Error(`"${program} ${words.join(' ')}" failed:\n${String(stdout)}${String(stderr)}`, {
        cause: error,
      });
    }
  }
}
