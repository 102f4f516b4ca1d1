/** Types of the part of WebAssembly that the service uses. The types of Node.js do not include WebAssembly. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  const Module: new (bytes: Uint8Array) => Module;
  const Memory: new (size: { readonly initial: number; readonly maximum: number }) => Memory;
}
