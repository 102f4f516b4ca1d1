import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
export interface RecentCaller {
  readonly keyId: string;
  readonly keyName: string;
  readonly teamId: string;
  readonly address: string;
  readonly lastUsedAt: string;
}

/** Port to the last uses of people's keys. */
export interface RecentCallersAdapter {
  /** The last use of each key of a person, the latest first. */
  of(userId: string): Promise<readonly RecentCaller[]>;
}

@Injectable()
export class RecentCallers extends Port<RecentCallersAdapter> {}
