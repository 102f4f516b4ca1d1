import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/index.js';
import { UsersService, UserTeams } from '../../users/index.js';
import { isForeign } from './same-origin.js';
import type { CurrentSignIn } from './sign-in.js';
import { CrossOriginError, SignInEndedError } from './sign-in.errors.js';
import { SignInCookie } from './sign-in-cookie.js';
import { signedInView, type SignedInView } from './sign-in.view.js';

/** How every route that signs somebody in takes a browser's request and answers it. */
@Injectable()
export class SignInAnswers {
  constructor(
    private readonly cookie: SignInCookie,
    private readonly users: UsersService,
    private readonly teams: UserTeams,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The cookie that a browser had before it signs in, if any.
   * @throws CrossOriginError when a page of another origin would sign its visitor in.
   */
  replacedBy(request: IncomingMessage): string | undefined {
    if (isForeign(request.headers, this.settings.BASE_URL)) throw new CrossOriginError();
    return this.cookie.read(request);
  }

  /** Gives the browser the cookie, and the rest to say. */
  begun(signIn: CurrentSignIn, response: ServerResponse): Promise<SignedInView> {
    this.cookie.set(response, signIn.secret);
    return this.shown(signIn, response);
  }

  async shown(signIn: CurrentSignIn, response: ServerResponse): Promise<SignedInView> {
    const user = await this.users.find(signIn.userId);
    if (user === null) throw new SignInEndedError();
    response.setHeader('Cache-Control', 'no-store');
    return signedInView(user, await this.teams.of(user.id), signIn);
  }

  ended(response: ServerResponse): void {
    this.cookie.clear(response);
  }
}
