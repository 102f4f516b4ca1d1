import { Injectable } from '@nestjs/common';
import { AccessEpoch } from '../access/index.js';
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
    private readonly writer: Writer,
  ) {}

  /**
   * Commits all writes or none. Rejects with the error of the first write whose condition fails.
   * @param madeId as in `AuditTrail.unitOf`
   */
  commit(actor: Actor, event: AuditEvent, writes: readonly Write[], madeId?: string): Promise<void> {
    return this.writer.commit(this.epoch.change(this.audit.unitOf(actor, event, writes, madeId)));
  }
}
