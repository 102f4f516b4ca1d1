import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../access/index.js';

/**
 * All of a request that the strategy gets to see. It would read a key from the query and the body too; and
 * strategies are known to the whole process, in which several applications may run, so the request brings
 * along who authenticates it.
 */
export interface BearerRequest {
  readonly headers: { readonly authorization: string | undefined };
  readonly authenticate: (secret: string) => Promise<Principal>;
}

/** `passport-http-bearer`: takes the key out of the `Authorization` header. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor() {
    super({ passReqToCallback: true });
  }

  validate(request: BearerRequest, secret: string): Promise<Principal> {
    return request.authenticate(secret);
  }
}
