import { Injectable } from '@nestjs/common';
import { AccessEpoch } from '../access/index.js';
import { Idempotency } from '../idempotency/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';
import { AuditTrail } from './audit-trail.js';

/**
 * Changes who may do what. One commit holds the change, its entry in the audit log and the claim of the request's
 * `Idempotency-Key`; every process looks again at whom it lets in.
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
   * Rejects, with nothing of it written, with the error of a lost guard.
   * @param madeId id of what the change makes, where it makes something
   */
  commit(actor: Actor, event: AuditEvent, writes: readonly Write[], madeId?: string): Promise<void> {
    const claim = madeId === undefined ? [] : this.idempotency.claim(madeId);
    return this.writer.commit(
      this.epoch.change({ writes: [...claim, ...writes, this.audit.entry(actor, event)] }),
    );
  }
}
