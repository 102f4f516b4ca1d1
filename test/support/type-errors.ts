import { resolve } from 'node:path';
import ts from 'typescript';

/** Folder of the checked files, from which imports of packages resolve. The files themselves exist only in memory. */
const FOLDER = resolve('test/snippets');

/**
 * Checks the types of files that exist only in memory, with the compiler settings of this project.
 * @param files contents by path relative to `test/snippets`; the files may import each other
 * @returns one line for each type error
 */
export function typeErrors(files: ReadonlyMap<string, string>): readonly string[] {
  const contents = new Map([...files].map(([path, text]) => [resolve(FOLDER, path), text]));
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, files: [], include: [] },
    ts.sys,
    resolve('.'),
  );
  const settings: ts.CompilerOptions = {
    ...options,
    noEmit: true,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    paths: { '@workflow-service/client': [resolve('clients/typescript/src/index.ts')] },
  };
  const host = ts.createCompilerHost(settings);
  const { fileExists, readFile } = host;
  host.directoryExists = (path) => path.startsWith(FOLDER) || ts.sys.directoryExists(path);
  host.fileExists = (path) => contents.has(path) || fileExists(path);
  host.readFile = (path) => contents.get(path) ?? readFile(path);
  const program = ts.createProgram([...contents.keys()], settings, host);
  return [...contents.keys()].flatMap((path) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(path)).map(({ messageText, file, start = 0 }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${path.slice(FOLDER.length + 1)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    }),
  );
}
