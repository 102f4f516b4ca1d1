export type { BatchPage } from './batch-page.js';
export { type Batch, type JournalScope, lastSequence } from './batch.js';
export {
  CHECKPOINT_INTERVAL,
  CheckpointRepository,
  type StoredCheckpoint,
} from './checkpoints/checkpoint.repository.js';
export { madeProgress, recoveriesInARow } from './checkpoints/recoveries.js';
export { RunCheckpoints } from './checkpoints/run-checkpoints.js';
export { type Cursor, decodeCursor, encodeCursor, isAfter, START } from './cursor.js';
export { type Envelope, envelopeOf, envelopeText } from './envelope.js';
export { EventBus, type ProjectSubscription } from './event-bus.js';
export { JournalTail } from './journal-tail.js';
export { JournalFullError, PayloadGoneError } from './journal.errors.js';
export { JournalModule } from './journal.module.js';
export {
  type BlockingTransaction,
  type FeedDelay,
  type FeedFilter,
  FEW_EVENTS,
  type JournalBounds,
  JournalRepository,
} from './journal.repository.js';
export { type Append, Journal } from './journal.js';
export { PayloadRepository, placeKey } from './payload.repository.js';
export { PAYLOAD_FIELDS, type PayloadField, payloadUrl } from './payload.js';
export { wireError } from './wire-error.js';
