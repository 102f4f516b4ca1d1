import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import { UsersService } from '../users/index.js';
import { InvalidSetUpLinkError } from './auth.errors.js';
import { SetUpLinkRepository } from './set-up-link.repository.js';

export const SET_UP_LINK_MINUTES = 30;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Length of a token in characters. 36 random letters and digits contain 214 random bits. */
const TOKEN_LENGTH = 36;
/**
 * Random bytes of this value or a greater value are discarded. Otherwise, the first characters of the
 * alphabet would occur more often.
 */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

@Injectable()
export class SetUpLinkService {
  constructor(
    private readonly links: SetUpLinkRepository,
    private readonly users: UsersService,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates a setup link and returns its token; null if the service already has a user. Only the hash of the token is
   * stored.
   */
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
   * Returns the write that marks a setup link as used. The write belongs to the commit that creates the first admin.
   * This commit fails if another request has used the link meanwhile.
   * @throws InvalidSetUpLinkError if the link is unknown, used or expired.
   */
  async use(token: string): Promise<Write> {
    const linkHash = hashOfSetUpToken(token);
    const now = isoTime(this.clock.now());
    if (!(await this.links.isOpen(linkHash, now))) throw new InvalidSetUpLinkError();
    return this.links.markUsed(linkHash, now, () => new InvalidSetUpLinkError());
  }
}

/** Returns the SHA-256 hash of a token, in hex. Random tokens do not need a slow hash. */
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
