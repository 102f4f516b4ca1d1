import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import type { Principal } from '../access/index.js';
import { Idempotency } from '../idempotency/index.js';
import { type UnitOfWork, type Write, Writer } from '../storage/index.js';
import {
  type Actor,
  type AuditedResource,
  type AuditEvent,
  changeEvent,
  type ResourceChange,
} from './audit-entry.js';
import { AuditSealer } from './audit-sealer.js';
import { AuditRepository } from './audit.repository.js';

@Injectable()
export class AuditTrail {
  constructor(
    private readonly repository: AuditRepository,
    private readonly sealer: AuditSealer,
    private readonly idempotency: Idempotency,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the write for an audit entry. The caller adds the write to the unit of work of the action, so that both are
   * stored or neither.
   */
  entry(actor: Actor, { teamId, projectId, action, target, before, after }: AuditEvent): Write {
    this.sealer.sealSoon();
    return this.repository.insert({
      id: newId(),
      teamId,
      projectId: projectId ?? null,
      userId: actor.userId,
      keyId: actor.keyId,
      address: actor.address,
      requestId: actor.requestId ?? null,
      action,
      targetType: target.type,
      targetId: target.id,
      before: before ?? null,
      after: after ?? null,
      createdAt: isoTime(this.clock.now()),
    });
  }

  /**
   * Returns the unit of work that stores writes together with their audit entry and the idempotency key of the request.
   * @param madeId id of the resource that the request creates or gives a new secret; absent for other requests, which
   * claim no idempotency key
   */
  unitOf(actor: Actor, event: AuditEvent, writes: readonly Write[], madeId?: string): UnitOfWork {
    const claim = madeId === undefined ? [] : this.idempotency.claim(madeId);
    return { writes: [...claim, ...writes, this.entry(actor, event)] };
  }

  /**
   * Commits writes together with their audit entry and the idempotency key of the request. Commits all or none.
   * @param madeId as in `unitOf`
   */
  commit(actor: Actor, event: AuditEvent, writes: readonly Write[], madeId?: string): Promise<void> {
    return this.writer.commit(this.unitOf(actor, event, writes, madeId));
  }

  /** Commits a change of a resource like `commit`. The audit entry belongs to the caller's team. */
  commitChange<T extends AuditedResource>(
    principal: Principal,
    change: ResourceChange<T>,
    writes: readonly Write[],
    madeId?: string,
  ): Promise<void> {
    return this.commit(principal, changeEvent(principal, change), writes, madeId);
  }
}
