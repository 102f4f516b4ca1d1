export type { AttemptOutcome } from './endpoint-deliverer.js';
export { WebhookRunner } from './webhook-runner.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksRepository } from './webhooks.repository.js';
export { WebhooksService } from './webhooks.service.js';
export type { NewWebhookView, WebhookDeliveryView, WebhookView } from './webhook.view.js';
