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

/** Port to the last uses of people's keys. */
export interface RecentCallersAdapter {
  /** The last use of each key of a person, with its address, the latest first. */
  of(userId: string): Promise<readonly RecentCaller[]>;
}

@Injectable()
export class RecentCallers extends Port<RecentCallersAdapter> {}
