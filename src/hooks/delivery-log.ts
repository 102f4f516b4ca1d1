import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ServiceError } from '../errors/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { PendingDelivery } from './hook-actions.js';
import type { HookRequest } from './hook-request.js';
import type { Delivery, Hook } from './hook.js';
import { HooksRepository } from './hooks.repository.js';

/** Maximum length in characters of the stored header `Content-Type`. Longer values are truncated. */
const MAX_CONTENT_TYPE_LENGTH = 255;

@Injectable()
export class DeliveryLog {
  private readonly logger = new Logger(DeliveryLog.name);

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly hooks: HooksRepository,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  pending({ id }: Hook, { method, address, headers, rawBody, source }: HookRequest): PendingDelivery {
    return {
      id: newId(),
      hookId: id,
      receivedAt: isoTime(this.clock.now()),
      method,
      address,
      contentType: headers.get('content-type')?.slice(0, MAX_CONTENT_TYPE_LENGTH) ?? null,
      sizeBytes: rawBody.length,
      source,
      key: null,
    };
  }

  async recordRepeated(delivery: PendingDelivery, executionId: string): Promise<void> {
    const outcome = { outcome: 'repeated', status: 202, code: null, reason: null, executionId } as const;
    await this.write({ ...delivery, ...outcome });
  }

  async recordRefused(delivery: PendingDelivery, { status, code, message }: ServiceError): Promise<void> {
    const outcome = { outcome: 'refused', status, code, reason: message, executionId: null } as const;
    await this.write({ ...delivery, ...outcome });
  }

  /**
   * Stores a repeated or refused delivery. If this fails, the error is only logged, because the response to the sender
   * does not depend on the record.
   */
  private async write(delivery: Delivery): Promise<void> {
    const writes: readonly Write[] = [
      this.deliveries.record(delivery),
      this.hooks.lastDeliveryUpdate(delivery.hookId, delivery.receivedAt),
    ];
    try {
      await this.writer.commit({ writes });
    } catch (error) {
      this.logger.warn({ err: error }, 'A hook delivery could not be recorded.');
    }
  }
}
