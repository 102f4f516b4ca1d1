import { Injectable } from '@nestjs/common';
import { AccessEpoch } from '../access/index.js';
import { Idempotency } from '../idempotency/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';
import { AuditTrail } from './audit-trail.js';

/**
 * Commits a change of access together with its audit entry and the idempotency key of the request. After the commit,
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
   * Commits all writes or none. Rejects with the error of the first write whose condition fails.
   * @param madeId id of the created resource; absent if no resource is created
   */
  commit(actor: Actor, event: AuditEvent, writes: readonly Write[], madeId?: string): Promise<void> {
    const claim = madeId === undefined ? [] : this.idempotency.claim(madeId);
    return this.writer.commit(
      this.epoch.change({ writes: [...claim, ...writes, this.audit.entry(actor, event)] }),
    );
  }
}
