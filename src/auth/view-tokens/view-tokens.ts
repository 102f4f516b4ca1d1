import { Inject, Injectable } from '@nestjs/common';
import {
  grants,
  type Principal,
  type ScopeGrant,
  SharedSecretRepository,
  type View,
} from '../../access/index.js';
import { InvalidKeyError, KeyVerifier } from '../../keys/index.js';
import { CLOCK, type Clock } from '../../platform/index.js';
import { FailedAuthLimiter } from '../../rate-limits/index.js';
import { ExpiredViewTokenError, InvalidViewTokenError } from '../auth.errors.js';
import { SignInRights } from '../sign-in/sign-in-rights.js';
import { decodeViewToken, encodeViewToken, viewTokenKey, type ViewTokenMaker } from './view-token.js';

/** Scopes of every view token, independent of the rights of its creator. */
const VIEW_SCOPES: readonly ScopeGrant[] = ['executions:read', 'events:read'];

type Rights = Omit<Principal, 'address'>;

/**
 * Creates and authenticates view tokens, which are signed but not stored. Each use of a token checks the rights of its
 * creator. A token therefore ends when its creator's key, account or membership ends.
 */
@Injectable()
export class ViewTokens {
  private key: Buffer | null = null;

  constructor(
    private readonly secrets: SharedSecretRepository,
    private readonly keys: KeyVerifier,
    private readonly people: SignInRights,
    private readonly limiter: FailedAuthLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async issue({ keyId, userId, teamId }: Principal, view: View): Promise<string> {
    const maker: ViewTokenMaker = keyId === null ? { kind: 'user', userId, teamId } : { kind: 'key', keyId };
    return encodeViewToken(await this.signingKey(), { view, maker });
  }

  /**
   * Authenticates a view token. The address list of the token's creator is ignored, because the browser of another
   * person uses the token.
   * @throws InvalidViewTokenError if the signature is invalid, or the token's creator may no longer read events.
   * @throws ExpiredViewTokenError
   * @throws RateLimitError instead of InvalidViewTokenError if the service refused too many credentials from the
   * address recently.
   */
  async authenticate(token: string, address: string): Promise<Principal> {
    const claims = decodeViewToken(await this.signingKey(), token);
    if (claims === null) return this.refuse(address);
    if (claims.view.expiresAt <= this.clock.now()) throw new ExpiredViewTokenError();
    const rights = await this.rightsOf(claims.maker);
    if (rights === null || !grants(rights.scopes, 'events:read')) return this.refuse(address);
    return { ...rights, scopes: VIEW_SCOPES, view: claims.view, address };
  }

  private async rightsOf(maker: ViewTokenMaker): Promise<Rights | null> {
    if (maker.kind === 'user') return this.people.of(maker);
    try {
      return (await this.keys.verifyId(maker.keyId)).rights;
    } catch (error) {
      if (error instanceof InvalidKeyError) return null;
      throw error;
    }
  }

  private refuse(address: string): never {
    this.limiter.countFailure(address);
    throw new InvalidViewTokenError();
  }

  private async signingKey(): Promise<Buffer> {
    return (this.key ??= viewTokenKey(await this.secrets.ensure()));
  }
}
