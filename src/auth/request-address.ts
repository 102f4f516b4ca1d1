import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { AddressRanges, clientAddress } from '../access/index.js';
import type { Actor } from '../audit/index.js';
import { requestIdOf } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';

/** Where a request comes from. */
export interface RequestOrigin {
  /** Canonical, after trusted proxies. */
  readonly address: string;
  readonly requestId: string;
  /** As the client names itself; empty where it does not. */
  readonly userAgent: string;
}

/** Longest name of a client that is kept. */
const MAX_USER_AGENT_LENGTH = 255;

/** Says where requests come from, counted through the trusted proxies. */
@Injectable()
export class RequestAddress {
  private readonly trustedProxies: AddressRanges;
  private readonly direct = new WeakMap<Socket, string>();

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.trustedProxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  }

  of(request: IncomingMessage): string {
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined || this.trustedProxies.isEmpty) return this.ofSocket(request.socket);
    return clientAddress(
      request.socket.remoteAddress,
      typeof forwarded === 'string' ? forwarded : forwarded.join(','),
      this.trustedProxies,
    );
  }

  /** Of all requests on one connection the same. */
  private ofSocket(socket: Socket): string {
    let address = this.direct.get(socket);
    if (address === undefined) {
      address = clientAddress(socket.remoteAddress, undefined, this.trustedProxies);
      if (address !== '') this.direct.set(socket, address);
    }
    return address;
  }

  origin(request: IncomingMessage): RequestOrigin {
    return {
      address: this.of(request),
      requestId: requestIdOf(request),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    };
  }
}

/** A person without a key, in the audit log. */
export function personFrom({ address, requestId }: RequestOrigin, userId: string): Actor {
  return { userId, keyId: null, address, requestId };
}
