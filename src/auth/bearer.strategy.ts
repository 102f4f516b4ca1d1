import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../access/index.js';

export interface BearerOptions {
  /**
   * Passed with each request, because passport registers strategies for a whole process with
   * several applications.
   */
  readonly authenticate: (secret: string) => Promise<Principal>;
}

type BearerRequest = Request & BearerOptions;

@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor() {
    super({ passReqToCallback: true });
  }

  /** Omits body and query, because the package would accept an `access_token` in them as a key. */
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
