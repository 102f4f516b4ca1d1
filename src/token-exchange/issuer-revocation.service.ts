import { Inject, Injectable } from '@nestjs/common';
import { AccessEpoch } from '../access/index.js';
import { AuditTrail, OPERATOR } from '../audit/index.js';
import { ExchangedKeys } from '../keys/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Writer } from '../storage/index.js';

@Injectable()
export class IssuerRevocation {
  constructor(
    private readonly keys: ExchangedKeys,
    private readonly audit: AuditTrail,
    private readonly epoch: AccessEpoch,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Revokes every API key that was exchanged for a JWT of an issuer, and every key that was created with one
   * of these keys. All processes refuse the revoked keys within a second.
   *
   * @returns the number of revoked keys that had not expired
   */
  async revoke(issuer: string): Promise<number> {
    const now = isoTime(this.clock.now());
    const counts = await this.keys.countByTeam(issuer, now);
    if (counts.length === 0) return 0;
    const entries = counts.map(({ teamId, count }) =>
      this.audit.entry(OPERATOR, {
        teamId,
        action: 'issuer.revoked',
        target: { type: 'team', id: teamId },
        after: { issuer, tokens: count },
      }),
    );
    await this.writer.commit(this.epoch.change({ writes: [this.keys.revoke(issuer, now), ...entries] }));
    return counts.reduce((sum, { count }) => sum + count, 0);
  }
}
