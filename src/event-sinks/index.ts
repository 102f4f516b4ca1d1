export { type EventSink, Sink, type SinkMessage, type SinkResult } from './event-sink.js';
export { EventSinks } from './event-sinks.js';
export { EventSinksModule } from './event-sinks.module.js';
