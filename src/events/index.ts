export { EventSocketAdapter } from './event-socket.adapter.js';
export { type EventSubject, EventSubjects, type ExecutionSubject } from './event-subjects.js';
export { EventsModule } from './events.module.js';
export { StreamFigures, TRANSPORTS } from './stream-figures.js';
export { visibleBatch } from './visible-batch.js';
