import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { type Actor, type AuditEvent, AuditTrail } from '../../audit/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { inBackground } from '../../database/index.js';
import { type Write, Writer } from '../../storage/index.js';
import { TeamsService } from '../../teams/index.js';
import { UsersService } from '../../users/index.js';
import { type Refusal, refusalOf, type RefusedRequest } from './refusal.js';
import { type CountedRefusals, type RefusalSummary, RefusalWindows } from './refusal-windows.js';

/**
 * Maximum number of audit entries that wait to be written. Further entries are dropped, and a log line reports their
 * number.
 */
const MAX_PENDING = 1_000;
/** Maximum number of concurrent account lookups. Further refusals are recorded without an account. */
const MAX_LOOKUPS = 50;
const CHUNK = 200;

type Pending = { readonly kind: 'first'; readonly refusal: Refusal } | CountedRefusals | RefusalSummary;

/**
 * Records refused requests in the audit log, in the background. If the team of the caller is unknown, the entry goes to
 * the team that set up the service.
 */
@Injectable()
export class RefusalLog implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusalLog.name);
  private readonly windows = new RefusalWindows();
  private readonly lookups = new Set<Promise<void>>();
  private readonly pending: Pending[] = [];
  private dropped = 0;
  private writing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly audit: AuditTrail,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
    clearTimeout(this.timer);
  }

  /** Records a refused request in the background. Returns immediately and never throws. */
  record(error: unknown, request: RefusedRequest): void {
    const refusal = refusalOf(error, request);
    if (refusal === undefined) return;
    inBackground(() =>
      needsLookup(refusal) && this.lookups.size < MAX_LOOKUPS ? this.lookUp(refusal) : this.add(refusal),
    );
  }

  /** Resolves when all pending audit entries are committed. */
  async written(): Promise<void> {
    while (this.lookups.size > 0) await Promise.all(this.lookups);
    await this.writing;
  }

  /** Writes the counts of refusals in the current time windows now, without waiting for the windows to end. */
  async flush(): Promise<void> {
    await this.written();
    this.write(this.windows.endAll(this.clock.now()));
    await this.writing;
  }

  private lookUp(refusal: Refusal): void {
    const lookup = this.withAccount(refusal).then((known) => {
      this.lookups.delete(lookup);
      this.add(known);
    });
    this.lookups.add(lookup);
  }

  private add(refusal: Refusal): void {
    if (this.windows.add(refusal, this.clock.now())) this.write([{ kind: 'first', refusal }]);
    this.schedule();
  }

  private schedule(): void {
    const endMs = this.windows.nextEndMs;
    if (endMs === undefined || this.timer !== undefined) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.write(this.windows.endDue(this.clock.now()));
        this.schedule();
      },
      Math.max(1, endMs - this.clock.now()),
    ).unref();
  }

  /**
   * Returns a refusal with the account of a failed sign-in. The account is found by the email address, and the team is
   * the account's first team.
   */
  private async withAccount(refusal: Refusal): Promise<Refusal> {
    try {
      const user = refusal.email === undefined ? null : await this.users.findByEmail(refusal.email);
      const userId = refusal.userId ?? user?.id ?? null;
      const [membership] = userId === null ? [] : await this.teams.memberships([userId]);
      return { ...refusal, email: undefined, userId, teamId: refusal.teamId ?? membership?.teamId ?? null };
    } catch (error) {
      this.logger.debug({ err: error, msg: 'The account of a refused request could not be read.' });
      return refusal;
    }
  }

  private write(entries: readonly Pending[]): void {
    if (entries.length === 0) return;
    const room = Math.max(0, MAX_PENDING - this.pending.length);
    this.pending.push(...entries.slice(0, room));
    this.dropped += Math.max(0, entries.length - room);
    this.writing = this.writing.then(() => this.writePending());
  }

  private async writePending(): Promise<void> {
    const entries = this.pending.splice(0, CHUNK);
    if (entries.length === 0) return;
    try {
      const installation = (await this.teams.firstOwner())?.teamId;
      const writes = entries.flatMap((entry) => this.entryOf(entry, installation));
      if (writes.length > 0) await this.writer.commit({ writes });
    } catch (error) {
      this.dropped += entries.length;
      this.warnOfDropped({ err: error, msg: 'Refusals could not be written to the audit log.' });
    }
    if (this.dropped > 0)
      this.warnOfDropped({
        msg: 'Refusals were not written to the audit log, because too many were waiting.',
      });
    if (this.pending.length > 0) return this.writePending();
  }

  private warnOfDropped(reason: { readonly msg: string; readonly err?: unknown }): void {
    this.logger.warn({ ...reason, entries: this.dropped });
    this.dropped = 0;
  }

  private entryOf(entry: Pending, installation: string | undefined): readonly Write[] {
    const teamId = (entry.kind === 'summary' ? entry.teamId : entry.refusal.teamId) ?? installation;
    // Before the setup of the service there is no team, and therefore no audit log.
    if (teamId === undefined) return [];
    const team = { type: 'team', id: teamId };
    if (entry.kind === 'summary') {
      const { count, codes, sinceMs } = entry;
      const after = { count, codes, since: isoTime(sinceMs) };
      return [this.audit.entry(NO_ACTOR, { teamId, action: 'refusals.summarized', target: team, after })];
    }
    const { refusal } = entry;
    const counted =
      entry.kind === 'first' ? { count: 1 } : { count: entry.count, since: isoTime(entry.sinceMs) };
    const { userId, keyId, address, requestId } = refusal;
    const actor = { userId, keyId, address, ...(requestId === undefined ? {} : { requestId }) };
    const event: AuditEvent = {
      teamId,
      projectId: refusal.projectId,
      action: refusal.action,
      target: refusal.target ?? credentialOf(refusal) ?? team,
      after: { code: refusal.code, ...refusal.details, ...counted },
    };
    return [this.audit.entry(actor, event)];
  }
}

/** Actor of a summary entry: empty, because the entry counts refusals of many callers. */
const NO_ACTOR: Actor = { userId: null, keyId: null, address: '' };

function needsLookup({ teamId, userId, email }: Refusal): boolean {
  return teamId === null && (userId !== null || email !== undefined);
}

function credentialOf({ keyId, userId }: Refusal): AuditEvent['target'] | undefined {
  if (keyId !== null) return { type: 'key', id: keyId };
  return userId === null ? undefined : { type: 'user', id: userId };
}
