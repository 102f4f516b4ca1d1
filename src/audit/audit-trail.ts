import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';
import { AuditSealer } from './audit-sealer.js';
import { AuditRepository } from './audit.repository.js';

@Injectable()
export class AuditTrail {
  constructor(
    private readonly repository: AuditRepository,
    private readonly sealer: AuditSealer,
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
}
