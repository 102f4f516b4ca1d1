import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../settings/index.js';
import { UsersService, UserTeams } from '../../users/index.js';
import { type DeviceTokens, KnownDevices } from './known-devices.js';
import { isForeign } from './same-origin.js';
import type { CurrentSignIn } from './sign-in.js';
import { CrossOriginError, SignInEndedError } from './sign-in.errors.js';
import { SignInCookie } from './sign-in-cookie.js';
import { signedInView, type SignedInView } from './sign-in.view.js';

export interface SigningInBrowser {
  /** Cookie value of the browser's previous sign-in, which the new sign-in ends; undefined if the browser has none. */
  readonly replaced: string | undefined;
  readonly devices: DeviceTokens;
}

@Injectable()
export class SignInAnswers {
  constructor(
    private readonly cookie: SignInCookie,
    private readonly devices: KnownDevices,
    private readonly users: UsersService,
    private readonly teams: UserTeams,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @throws CrossOriginError if a page of another origin sent the request.
   */
  browserOf(request: IncomingMessage): SigningInBrowser {
    if (isForeign(request.headers, this.settings.BASE_URL)) throw new CrossOriginError();
    return { replaced: this.cookie.read(request), devices: this.devices.tokensOf(request) };
  }

  async begun(signIn: CurrentSignIn, response: ServerResponse): Promise<SignedInView> {
    this.cookie.set(response, signIn.secret);
    await this.devices.remember(signIn.userId, response);
    return this.shown(signIn, response);
  }

  /** Makes the browser a known device again, because the new password has made all devices unknown. */
  passwordChanged({ userId }: CurrentSignIn, response: ServerResponse): Promise<void> {
    return this.devices.remember(userId, response);
  }

  async shown(signIn: CurrentSignIn, response: ServerResponse): Promise<SignedInView> {
    const user = await this.users.find(signIn.userId);
    if (user === null) throw new SignInEndedError();
    response.setHeader('Cache-Control', 'no-store');
    return signedInView(user, await this.teams.adapter.of(user.id), signIn);
  }

  ended(response: ServerResponse): void {
    this.cookie.clear(response);
  }
}
