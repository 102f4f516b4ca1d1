import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import { UsersService } from '../users/index.js';
import { InvalidSetUpLinkError } from './auth.errors.js';
import { SetUpLinkRepository } from './set-up-link.repository.js';

/** Lifetime of a link in minutes. */
export const SET_UP_LINK_MINUTES = 30;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of letters and digits in a token. 36 of them are 214 random bits. */
const TOKEN_LENGTH = 36;
/**
 * Random bytes from this value on are discarded. Otherwise the first characters of the alphabet would be more likely.
 */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

/** Issues and redeems the links with which a person creates the first admin. */
@Injectable()
export class SetUpLinkService {
  constructor(
    private readonly links: SetUpLinkRepository,
    private readonly users: UsersService,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A new token; null if the service has a user. Only the hash of the token is stored. */
  async create(): Promise<string | null> {
    if (await this.users.hasAny()) return null;
    const token = newToken();
    const now = this.clock.now();
    const link = {
      hash: hashOfSetUpToken(token),
      createdAt: isoTime(now),
      expiresAt: isoTime(now + SET_UP_LINK_MINUTES * 60_000),
      usedAt: null,
    };
    await this.writer.commit({ writes: [this.links.deleteExpired(link.createdAt), this.links.insert(link)] });
    return token;
  }

  /**
   * The write that marks a link as used. It belongs to the commit that creates the first admin; the commit fails if the
   * link was used in the meantime.
   * @throws InvalidSetUpLinkError if the link is unknown, used or expired.
   */
  async use(token: string): Promise<Write> {
    const linkHash = hashOfSetUpToken(token);
    const now = isoTime(this.clock.now());
    if (!(await this.links.isOpen(linkHash, now))) throw new InvalidSetUpLinkError();
    return this.links.markUsed(linkHash, now, () => new InvalidSetUpLinkError());
  }
}

/** SHA-256 of a token in hex, as it is stored. Tokens are random, so no slow hash is needed. */
function hashOfSetUpToken(token: string): string {
  return hash('sha256', token, 'hex');
}

function newToken(): string {
  let token = '';
  while (token.length < TOKEN_LENGTH)
    for (const byte of randomBytes(TOKEN_LENGTH - token.length))
      if (byte < UNBIASED_BYTES) token += ALPHABET[byte % ALPHABET.length];
  return token;
}
