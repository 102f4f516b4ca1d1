/**
 * Types for the part of WebAssembly that the service uses. The types of Node.js lack it, and the DOM types add too
 * much.
 */
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
