/**
 * Types for the part of WebAssembly that the service uses. The types of Node.js do not include it, and the DOM types
 * would add too much.
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
