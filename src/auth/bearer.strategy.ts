import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../access/index.js';

/** What `BearerGuard` hands to passport beside the request. */
export interface BearerOptions {
  /** Passport's strategy names are global to the process, which may run several applications. */
  readonly authenticate: (secret: string) => Promise<Principal>;
}

type BearerRequest = Request & BearerOptions;

/** `passport-http-bearer`: reads the key from the `Authorization` header. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor() {
    super({ passReqToCallback: true });
  }

  /** An `access_token` in a body or query is the caller's data; the package would read it as a key. */
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
