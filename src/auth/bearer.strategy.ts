import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../access/index.js';

export interface BearerOptions {
  /**
   * Authenticates the key of a request. Each request contains this function, because passport registers a
   * strategy once for the whole process, and a process may run several applications.
   */
  readonly authenticate: (secret: string) => Promise<Principal>;
}

type BearerRequest = Request & BearerOptions;

@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor() {
    super({ passReqToCallback: true });
  }

  /**
   * Hides the body and the query from passport-http-bearer. The package would accept an `access_token` in either of
   * them as a key.
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
