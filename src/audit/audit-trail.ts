import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import type { Actor, AuditEvent } from './audit-entry.js';
import { AuditSealer } from './audit-sealer.js';
import { AuditRepository } from './audit.repository.js';

/** Records actions and their actors, in the commit of the action. */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly repository: AuditRepository,
    private readonly sealer: AuditSealer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The write that stores an audit entry. The caller adds it to the unit of work of the action, so that neither the
   * action nor the entry is stored without the other.
   */
  entry(actor: Actor, { teamId, projectId, action, target, before, after }: AuditEvent): Write {
    this.sealer.notice();
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
