export { type EventSubject, EventSubjects, type ExecutionSubject } from './event-subjects.js';
export { EventSocketAdapter } from './event-socket.adapter.js';
export { EventsModule, type EventsModuleOptions } from './events.module.js';
export type { SocketLimits } from './socket-limits.js';
