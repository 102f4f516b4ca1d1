import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { serve } from '../sandbox/guest.ts';
import { QuickJsJob } from './quickjs-job.ts';

/** Maximum memory of one interpreter, in WebAssembly pages of 64 KiB. */
const MAX_PAGES = 1_536;

/** Initial memory of the QuickJS build, in WebAssembly pages. */
const INITIAL_PAGES = 256;

/**
 * The WebAssembly module of QuickJS is compiled once. Each job gets its own instance, so that a bug in QuickJS cannot
 * leak data between jobs.
 */
const wasmModule = new WebAssembly.Module(readFileSync(wasmFile()));

function wasmFile(): string {
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('quickjs-emscripten')).resolve(
    '@jitl/quickjs-wasmfile-release-sync/wasm',
  );
}

await serve(async () => {
  const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES });
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule, wasmMemory }));
  return (job) => new QuickJsJob(quickjs, job, () => wasmMemory.buffer.byteLength).run();
});
