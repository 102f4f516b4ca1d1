import { Injectable } from '@nestjs/common';
import { AccessEpoch } from '../access/index.js';
import { Idempotency } from '../idempotency/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';
import { AuditTrail } from './audit-trail.js';

/**
 * Commits changes of access. One commit contains the change, its audit entry and the claim of the request's
 * `Idempotency-Key`. After the commit, every process clears its cache of verified keys.
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
   * Commits the change. If one of the writes has a guard that fails, nothing is written and the promise rejects with
   * the guard's error.
   * @param madeId id of the resource that the change creates; absent if it creates none
   */
  commit(actor: Actor, event: AuditEvent, writes: readonly Write[], madeId?: string): Promise<void> {
    const claim = madeId === undefined ? [] : this.idempotency.claim(madeId);
    return this.writer.commit(
      this.epoch.change({ writes: [...claim, ...writes, this.audit.entry(actor, event)] }),
    );
  }
}
