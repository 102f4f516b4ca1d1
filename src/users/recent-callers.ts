import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
export interface RecentCaller {
  readonly keyId: string;
  readonly keyName: string;
  readonly teamId: string;
  readonly address: string;
  readonly lastUsedAt: string;
}

/** Port through which `users` reads the last use of each API key of a person. */
export interface RecentCallersAdapter {
  /** Returns the last use of each API key of a person. The most recent use comes first. */
  of(userId: string): Promise<readonly RecentCaller[]>;
}

@Injectable()
export class RecentCallers extends Port<RecentCallersAdapter> {}
