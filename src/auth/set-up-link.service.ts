import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import { UsersService } from '../users/index.js';
import { InvalidSetUpLinkError } from './auth.errors.js';
import { SetUpLinkRepository } from './set-up-link.repository.js';

export const SET_UP_LINK_MINUTES = 30;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 36 letters and digits are 214 random bits. */
const TOKEN_LENGTH = 36;
/**
 * Larger random bytes are discarded, because they would favor the first characters of the alphabet.
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

  /** Stores only the hash of the token. Null if the service already has a user. */
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
   * The write belongs to the commit that creates the first admin. The commit fails if the link was
   * used meanwhile.
   * @throws InvalidSetUpLinkError if the link is unknown, used or expired.
   */
  async use(token: string): Promise<Write> {
    const linkHash = hashOfSetUpToken(token);
    const now = isoTime(this.clock.now());
    if (!(await this.links.isOpen(linkHash, now))) throw new InvalidSetUpLinkError();
    return this.links.markUsed(linkHash, now, () => new InvalidSetUpLinkError());
  }
}

/** SHA-256 in hex. Random tokens need no slow hash. */
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
