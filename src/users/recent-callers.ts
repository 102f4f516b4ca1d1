import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
/** The last use of one of a person's keys. */
export interface RecentCaller {
  readonly keyId: string;
  readonly keyName: string;
  readonly teamId: string;
  readonly address: string;
  readonly lastUsedAt: string;
}

/** Port: the last uses of people's keys. */
export interface RecentCallersAdapter {
  /** Each key of a person with the address of its last use, the latest first. */
  of(userId: string): Promise<readonly RecentCaller[]>;
}

@Injectable()
export class RecentCallers extends Port<RecentCallersAdapter> {}
