/**
 * Type declaration for an internal file of class-transformer, which stores the metadata of `@Type` and `@Transform`.
 */
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';

  export const defaultMetadataStorage: MetadataStorage;
}
