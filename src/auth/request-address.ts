import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { AddressRanges, requestAddress } from '../access/index.js';
import type { Actor } from '../audit/index.js';
import { requestIdOf } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';

export interface RequestOrigin {
  /** Canonical IP address of the client. Behind trusted proxies, the address comes from `X-Forwarded-For`. */
  readonly address: string;
  readonly requestId: string;
  /** Value of the `User-Agent` header, cut to 255 characters; empty if the client does not send the header. */
  readonly userAgent: string;
}

/** Maximum length of a recorded user agent, in characters. */
const MAX_USER_AGENT_LENGTH = 255;

/** Finds the IP address of a client in the connection, or in the headers of trusted proxies. */
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

  /**
   * Returns the IP address of the connection. The address is cached per connection, because it is equal for all
   * requests of the connection.
   */
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

/** Returns the actor of an audit entry for a person who acts without an API key. */
export function personFrom({ address, requestId }: RequestOrigin, userId: string): Actor {
  return { userId, keyId: null, address, requestId };
}
