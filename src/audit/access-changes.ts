import { Injectable } from '@nestjs/common';
import { AccessEpoch } from '../access/index.js';
import { Idempotency } from '../idempotency/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';
import { AuditTrail } from './audit-trail.js';

/**
 * Commits a change of access with its audit entry and the request's `Idempotency-Key`. Afterwards
 * every process clears its cache of verified keys.
 */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly audit: AuditTrail,
    private readonly epoch: AccessEpoch,
    private readonly idempotency: Idempotency,
    private readonly writer: Writer,
  ) {}

  /**
   * Writes all or nothing; rejects with the error of the first guard that fails.
   * @param madeId id of the created resource; absent if there is none
   */
  commit(actor: Actor, event: AuditEvent, writes: readonly Write[], madeId?: string): Promise<void> {
    const claim = madeId === undefined ? [] : this.idempotency.claim(madeId);
    return this.writer.commit(
      this.epoch.change({ writes: [...claim, ...writes, this.audit.entry(actor, event)] }),
    );
  }
}
