/**
 * `npm run dev`: runs the service in watch mode, and the dashboard with hot reload. The service uses the same data as
 * with `npm start`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { before } from '@nestjs/swagger/plugin';
import ts from 'typescript';
import { ROOT } from './sources.mjs';

const OUT = join(ROOT, '.dev');
/**
 * Folders in which a changed file restarts the service. The CLI uses the TypeScript client, so the folder of the client
 * is included.
 */
const WATCHED = ['src', 'migrations', 'clients/typescript/src'];
/** Milliseconds without further changes before a restart, because editors save a file in several steps. */
const SETTLE_MS = 50;
/** Milliseconds that the service gets to stop before it is killed with SIGKILL. A killed service loses no data. */
const STOP_MS = 1_000;
const PLUGIN = {
  introspectComments: true,
  classValidatorShim: true,
  dtoFileNameSuffix: ['.dto.ts'],
  controllerFileNameSuffix: ['.controller.ts'],
  esmCompatible: true,
};

let configured = configuration();
let service;
let vite;
let pending;
let busy = Promise.resolve();
/** Resolves to true when the service responds, and to false when the service has ended. */
let ready = Promise.resolve(false);

// Unlike a new compiler process, the language service reads only changed files, so a compilation takes a fraction of a
// second.
const languageService = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: () => configured.options,
  getCurrentDirectory: () => ROOT,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => configured.fileNames,
  getScriptVersion: (file) => (file.includes('/node_modules/') ? '' : String(statSync(file).mtimeMs)),
  getScriptSnapshot: (file) => {
    const text = ts.sys.readFile(file);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
});

process.env.NODE_COMPILE_CACHE ??= join(OUT, 'cache');
mkdirSync(OUT, { recursive: true });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());
process.on('exit', () => {
  for (const child of [service, vite]) child?.kill('SIGKILL');
});
// Watches before the first compilation, so that no change during the first start is missed.
for (const folder of WATCHED)
  watch(join(ROOT, folder), { recursive: true }, (_event, name) => {
    if (name === null || !name.endsWith('.ts') || /\.(spec|fake|fixture)\.ts$/.test(name)) return;
    const changedAt = performance.now();
    clearTimeout(pending);
    pending = setTimeout(() => {
      busy = busy.then(() => update(changedAt));
    }, SETTLE_MS);
  });
busy = update(performance.now());
await busy;
// Parses all files at startup, so that the first compilation after a change is fast.
languageService.getProgram();

/** Compiles changed files and restarts the service. Type errors are reported after the restart. */
async function update(changedAt) {
  configured = configuration();
  const stale = configured.fileNames.filter((file) => !file.endsWith('.d.ts') && isStale(file));
  if (stale.length > 0) say(`Compiling ${stale.length} ${stale.length === 1 ? 'file' : 'files'} ...`);
  const program = stale.length > 0 ? languageService.getProgram() : undefined;
  const faults = stale.flatMap((file) => emit(program, file));
  if (faults.length > 0) report(faults);
  else {
    await restart();
    if (await ready) say(`Ready ${((performance.now() - changedAt) / 1_000).toFixed(1)} s after the change.`);
    else say('The service did not start. The next change starts it again.');
  }
  report(stale.slice(0, 50).flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file))));
}

function configuration() {
  const file = join(ROOT, 'tsconfig.build.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, include: WATCHED }, ts.sys, ROOT);
  return {
    fileNames,
    options: { ...options, outDir: OUT, declaration: false, noEmitOnError: false },
  };
}

function outputOf(file) {
  return join(OUT, relative(ROOT, file)).replace(/\.ts$/, '.js');
}

function isStale(file) {
  const output = outputOf(file);
  return !existsSync(output) || statSync(output).mtimeMs < statSync(file).mtimeMs;
}

/**
 * @returns syntax errors; a file with errors is not compiled
 */
function emit(program, file) {
  const source = program.getSourceFile(file);
  const faults = program.getSyntacticDiagnostics(source);
  if (faults.length > 0) {
    rmSync(outputOf(file), { force: true });
    return faults;
  }
  program.emit(source, write, undefined, false, { before: [before(PLUGIN, program)] });
  return [];
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function restart() {
  await end(service);
  const url = Promise.withResolvers();
  ready = url.promise;
  service = spawn(process.execPath, ['--enable-source-maps', join(OUT, 'src/main.js')], {
    cwd: ROOT,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  service.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    const [, origin, port] = /(https?:\/\/[^\s/]+:(\d+))/.exec(String(chunk)) ?? [];
    if (origin === undefined) return;
    // After a restart, the service must use the same port, because the dashboard sends its requests to this port.
    process.env.PORT = port;
    url.resolve(true);
    vite ??= startVite(origin);
  });
  service.once('exit', () => url.resolve(false));
}

function startVite(origin) {
  return spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'dashboard'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, SERVICE_URL: origin },
  });
}

async function end(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(killing);
}

async function stop() {
  await Promise.all([end(service), end(vite)]);
  process.exit(0);
}

function report(faults) {
  if (faults.length === 0) return;
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => ROOT,
    getNewLine: () => '\n',
  };
  process.stderr.write(ts.formatDiagnosticsWithColorAndContext(faults, host));
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
