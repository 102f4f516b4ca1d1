/** The last use of one of a person's keys. */
export interface RecentCaller {
  readonly keyId: string;
  readonly keyName: string;
  readonly teamId: string;
  readonly address: string;
  readonly lastUsedAt: string;
}

/** What users ask about the use of their keys. A port, since keys stand above users: that room binds it. */
export abstract class RecentCallers {
  /** Each key of a person with the address it was last used from, the latest first. */
  abstract of(userId: string): Promise<readonly RecentCaller[]>;
}
