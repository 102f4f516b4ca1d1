export { type EventSubject, EventSubjects, type ExecutionSubject } from './event-subjects.js';
export { EventSocketAdapter } from './event-socket.adapter.js';
export { EventsModule, type EventsModuleOptions } from './events.module.js';
export { DEFAULT_SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';
