import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../../platform/index.js';
import { SETTINGS, type Settings } from '../../settings/index.js';
import { type DeviceKey, normalEmail, PasswordsService } from '../../users/index.js';
import { HostCookie } from './host-cookie.js';

/** Time for which a device stays known after its last sign-in, in seconds (180 days). */
const KNOWN_SECONDS = 180 * 86_400;
/** Maximum number of accounts for which a browser is a known device. A new account replaces the oldest account. */
const MAX_TOKENS = 5;
const ID_BYTES = 16;
const BETWEEN_TOKENS = '~';
const BETWEEN_PARTS = '.';

/** Tokens from the cookie of a browser, one token for each account. The tokens are not verified yet. */
export type DeviceTokens = readonly string[];

/**
 * Recognizes devices from which the user of an account has signed in before. Failed attempts on other devices do not
 * delay a known device. A new password makes all devices unknown, because the key that signs the device tokens is
 * derived from the password hash.
 */
@Injectable()
export class KnownDevices {
  private readonly cookie: HostCookie;

  constructor(
    private readonly passwords: PasswordsService,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.cookie = new HostCookie('workflow_known_device', KNOWN_SECONDS, settings);
  }

  tokensOf(request: Pick<IncomingMessage, 'headers'>): DeviceTokens {
    return this.cookie.read(request)?.split(BETWEEN_TOKENS).slice(0, MAX_TOKENS) ?? [];
  }

  /** Returns the id of a known device; null if no token belongs to the account. */
  async find(email: string, tokens: DeviceTokens): Promise<string | null> {
    const normal = normalEmail(email);
    if (tokens.length === 0 || normal === undefined) return null;
    const key = await this.passwords.deviceKey({ email: normal });
    if (key === null) return null;
    return tokens.map((token) => this.idIn(token, key)).find((id) => id !== undefined) ?? null;
  }

  /** Sets the cookie that makes the browser a known device of the user. */
  async remember(userId: string, response: ServerResponse): Promise<void> {
    const key = await this.passwords.deviceKey({ id: userId });
    if (key === null) return;
    const others = this.tokensOf(response.req).filter((token) => this.idIn(token, key) === undefined);
    const tokens = [this.newToken(key), ...others].slice(0, MAX_TOKENS);
    this.cookie.set(response, tokens.join(BETWEEN_TOKENS));
  }

  private newToken(key: DeviceKey): string {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const madeAt = Math.floor(this.clock.now() / 1000).toString(36);
    return [id, madeAt, signature(key, id, madeAt).toString('base64url')].join(BETWEEN_PARTS);
  }

  private idIn(token: string, key: DeviceKey): string | undefined {
    const [id = '', madeAt = '', signed = ''] = token.split(BETWEEN_PARTS);
    const expected = signature(key, id, madeAt);
    const given = Buffer.from(signed, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return parseInt(madeAt, 36) + KNOWN_SECONDS > this.clock.now() / 1000 ? id : undefined;
  }
}

function signature({ userId, key }: DeviceKey, id: string, madeAt: string): Buffer {
  return createHmac('sha256', key).update([userId, id, madeAt].join(BETWEEN_PARTS)).digest();
}
