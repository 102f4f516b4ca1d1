import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { assertNever } from '../execution-events/index.js';
import { type KeyEvent, KeyRevocations } from '../keys/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { mayReadEvents } from './event-access.js';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';
import { StreamFigures, type Transport } from './stream-figures.js';

/** Why the service ends a client's stream: the key lost access, or its address list now excludes the client. */
export type AccessEnd = 'access_ended' | 'address_not_allowed';

/** Thrown when a key already has the maximum number of open streams. */
export class TooManyStreamsError extends Error {
  override readonly name = 'TooManyStreamsError';
}

/**
 * Registry of the open streams (sockets and server-sent events) by key. The registry limits the number of streams of a
 * key, and ends all streams of a key that loses access.
 */
@Injectable()
export class OpenStreams {
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly revocations: KeyRevocations,
    private readonly figures: StreamFigures,
    @Inject(SOCKET_LIMITS) private readonly limits: SocketLimits,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Registers a stream and watches the access of its key.
   * @param end called with the reason when the client loses access, such as by a revoked key or an expired view token
   * @returns a function that the caller must call when the stream ends
   * @throws TooManyStreamsError
   */
  enter(principal: Principal, transport: Transport, end: (reason: AccessEnd) => void): () => void {
    const owner = ownerOf(principal);
    const count = this.counts.get(owner) ?? 0;
    if (count >= this.limits.connectionsPerKey) throw new TooManyStreamsError();
    this.counts.set(owner, count + 1);
    this.figures.open[transport] += 1;
    const unwatch = this.revocations.watch(principal, (event) => {
      const reason = endOf(principal, event);
      if (reason !== undefined) end(reason);
    });
    const expiry = this.atExpiry(principal, () => end('access_ended'));
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.figures.open[transport] -= 1;
      unwatch();
      clearTimeout(expiry);
      const rest = (this.counts.get(owner) ?? 0) - 1;
      if (rest > 0) this.counts.set(owner, rest);
      else this.counts.delete(owner);
    };
  }

  private atExpiry({ view }: Principal, end: () => void): NodeJS.Timeout | undefined {
    if (view === undefined) return undefined;
    return setTimeout(end, Math.max(0, view.expiresAt - this.clock.now())).unref();
  }
}

/**
 * Returns the name under which a stream counts towards the limit. Streams with view tokens count separately for each
 * execution or session. Otherwise, viewers could exhaust the limit of the key that created the tokens.
 */
function ownerOf({ keyId, userId, view }: Principal): string {
  const maker = keyId ?? userId;
  return view === undefined ? maker : `${maker} ${view.id}`;
}

function endOf(before: Principal, event: KeyEvent): AccessEnd | undefined {
  switch (event.kind) {
    case 'revoked':
    case 'expired':
      return 'access_ended';
    case 'address_not_allowed':
      return 'address_not_allowed';
    case 'changed': {
      const { principal } = event;
      const sameReach = principal.teamId === before.teamId && principal.projectId === before.projectId;
      return sameReach && mayReadEvents(principal) ? undefined : 'access_ended';
    }
    default:
      return assertNever(event);
  }
}
