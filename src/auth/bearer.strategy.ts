import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../access/index.js';

/** Arguments that `BearerGuard` passes to passport in addition to the request. */
export interface BearerOptions {
  /**
   * Authenticates a key. The guard passes this function with each request, because passport registers strategies for
   * the whole process, which may run several applications.
   */
  readonly authenticate: (secret: string) => Promise<Principal>;
}

type BearerRequest = Request & BearerOptions;

/** Strategy of `passport-http-bearer`: reads the key from the `Authorization` header. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor() {
    super({ passReqToCallback: true });
  }

  /**
   * Calls the strategy without body and query. Otherwise the package would accept an `access_token` in the body or
   * query as a key.
   */
  override authenticate(request: Request, { authenticate }: BearerOptions): void {
    const withoutData = {
      body: { value: undefined },
      query: { value: {} },
      authenticate: { value: authenticate },
    };
    super.authenticate(Object.create(request, withoutData) as BearerRequest);
  }

  validate({ authenticate }: BearerRequest, secret: string): Promise<Principal> {
    return authenticate(secret);
  }
}
