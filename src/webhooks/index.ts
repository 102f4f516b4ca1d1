export { type EventSink, Sink, type SinkMessage, type SinkResult } from './sinks/event-sink.js';
export type { AttemptOutcome } from './endpoint-deliverer.js';
export { WebhookRunner } from './webhook-runner.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksRepository } from './webhooks.repository.js';
