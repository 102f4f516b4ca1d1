/** What this service uses of WebAssembly: the types of Node.js have none of it, those of a browser much more. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  const Module: new (bytes: Uint8Array) => Module;
  /** Sizes are in pages of 64 KiB. */
  const Memory: new (size: { readonly initial: number; readonly maximum: number }) => Memory;
}
