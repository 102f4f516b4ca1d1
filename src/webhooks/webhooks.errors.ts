import { ConflictError, NotFoundError } from '../errors/index.js';

export class WebhookNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('webhook', id);
  }
}

/** Thrown when a webhook has no delivery with the id, or the delivery is older than seven days. */
export class DeliveryNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('delivery', id);
  }
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

/** Thrown when retention has deleted the event with its execution. */
export class EventGoneError extends ConflictError {
  constructor() {
    super('event_gone', 'The event cannot be sent again because retention has deleted its execution.');
  }
}

/** Thrown when another process took the lease of a webhook, or a client moved the cursor. */
export class WebhookLeaseLostError extends Error {
  override readonly name = 'WebhookLeaseLostError';
}

export class WebhookNotActiveError extends ConflictError {
  constructor() {
    super('webhook_not_active', 'The webhook is not active. Resume it to send the event again.');
  }
}
