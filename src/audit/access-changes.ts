import { Injectable } from '@nestjs/common';
import { AccessEpoch } from '../access/index.js';
import { type Answer, Idempotency } from '../idempotency/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';
import { AuditTrail } from './audit-trail.js';

/** An answer that is given again to a repeated request. */
export interface RememberedAnswer {
  readonly answer: Answer;
  /** False where the request is answered with a secret besides, which must not be stored. */
  readonly isWhole?: boolean;
}

/**
 * Changes who may do what. One commit holds the change, its entry in the audit log, and the answer to a repeated
 * request; every process looks again at whom it lets in.
 */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly audit: AuditTrail,
    private readonly epoch: AccessEpoch,
    private readonly idempotency: Idempotency,
    private readonly writer: Writer,
  ) {}

  /** Rejects, with nothing of it written, with the error of a lost guard. */
  commit(
    actor: Actor,
    event: AuditEvent,
    writes: readonly Write[],
    remembered?: RememberedAnswer,
  ): Promise<void> {
    const claim =
      remembered === undefined ? [] : this.idempotency.claim(remembered.answer, remembered.isWhole ?? true);
    return this.writer.commit(
      this.epoch.change({ writes: [...claim, ...writes, this.audit.entry(actor, event)] }),
    );
  }
}
