export { type Batch, type JournalScope, lastSequence } from './batch.js';
export { type Cursor, decodeCursor, encodeCursor, isAfter, START } from './cursor.js';
export { type Envelope, envelopeOf, envelopeText } from './envelope.js';
export { type BatchListener, EventBus } from './event-bus.js';
export { type Append, Journal } from './journal.js';
export { JournalEntity, JournalFloorEntity, PayloadEntity } from './journal.entity.js';
export { JournalModule } from './journal.module.js';
export { FEW_EVENTS, type FeedFilter, type JournalBounds, JournalRepository } from './journal.repository.js';
export { INLINE_LIMIT, lacksPayload, type PayloadField, PAYLOAD_FIELDS } from './payload.js';
