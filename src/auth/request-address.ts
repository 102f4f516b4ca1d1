import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { AddressRanges, requestAddress } from '../access/index.js';
import type { Actor } from '../audit/index.js';
import { requestIdOf } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';

export interface RequestOrigin {
  /** Canonical IP address of the client. Behind trusted proxies, it comes from `X-Forwarded-For`. */
  readonly address: string;
  readonly requestId: string;
  /** Empty if the client sends none. */
  readonly userAgent: string;
}

/** In characters. */
const MAX_USER_AGENT_LENGTH = 255;

/** Reads the connection, and the headers of trusted proxies. */
@Injectable()
export class RequestAddress {
  private readonly trustedProxies: AddressRanges;
  private readonly direct = new WeakMap<Socket, string>();

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.trustedProxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  }

  of(request: IncomingMessage): string {
    const isForwarded = request.headers['x-forwarded-for'] !== undefined && !this.trustedProxies.isEmpty;
    return isForwarded ? requestAddress(request, this.trustedProxies) : this.ofPeer(request);
  }

  /** Cached per connection, because the address is equal for all its requests. */
  private ofPeer(request: IncomingMessage): string {
    let address = this.direct.get(request.socket);
    if (address === undefined) {
      address = requestAddress(request, this.trustedProxies);
      if (address !== '') this.direct.set(request.socket, address);
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

/** The actor of an audit entry without an API key. */
export function personFrom({ address, requestId }: RequestOrigin, userId: string): Actor {
  return { userId, keyId: null, address, requestId };
}
