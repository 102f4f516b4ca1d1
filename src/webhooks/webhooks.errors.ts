import { ConflictError, NotFoundError } from '../errors/index.js';

export class WebhookNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('webhook', id);
  }
}

/** Thrown when a webhook has no delivery with the requested id. Deliveries are deleted after seven days. */
export class DeliveryNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('delivery', id);
  }
}

/** Thrown when another commit has changed a delivery since its read. */
export class DeliveryChangedError extends Error {
  override readonly name = 'DeliveryChangedError';
}

export class WebhookChangedError extends ConflictError {
  constructor() {
    super(
      'webhook_changed',
      'The webhook was changed by another request. Read it again and repeat the change.',
    );
  }
}

export class WebhookDisabledError extends ConflictError {
  constructor() {
    super('webhook_disabled', 'The webhook is disabled. Resume it first.');
  }
}

/** Thrown when an event cannot be sent again, because retention has deleted its execution. */
export class EventGoneError extends ConflictError {
  constructor() {
    super('event_gone', 'The event cannot be sent again because retention has deleted its execution.');
  }
}

/** Thrown when a process has lost the lease of a webhook, to another process or to a client that moved the cursor. */
export class WebhookLeaseLostError extends Error {
  override readonly name = 'WebhookLeaseLostError';
}

export class WebhookNotActiveError extends ConflictError {
  constructor() {
    super(
      'webhook_not_active',
      'The webhook is not active. Resume the webhook first, then send the event again.',
    );
  }
}
