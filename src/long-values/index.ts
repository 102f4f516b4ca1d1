export {
  INLINE_LIMIT,
  LongValue,
  type LongValuePlace,
  objectOf,
  type ReadLongValue,
  readTextInMemory,
  type RecordedValue,
  recordedValue,
  ValuesNotLoadedError,
  withLazyField,
} from './long-value.js';
