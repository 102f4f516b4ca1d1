import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../settings/index.js';
import { HostCookie } from './host-cookie.js';
import { ABSOLUTE_MS } from './sign-in.js';

/** The cookie of a dashboard sign-in. Scripts and other sites cannot read its random value. */
@Injectable()
export class SignInCookie extends HostCookie {
  constructor(@Inject(SETTINGS) settings: Settings) {
    super('workflow_sign_in', ABSOLUTE_MS / 1000, settings);
  }
}
