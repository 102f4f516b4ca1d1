/** A key that a commit claims for what its request makes. */
export interface KeyClaim {
  readonly id: string;
  readonly requestHash: string;
  /** Id of what the request creates; null if it creates nothing. */
  readonly resourceId: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The response to a request as it is stored. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** What a request created, as its commit recorded it. */
export interface MadeResource {
  readonly id: string;
  /** ISO 8601. */
  readonly madeAt: string;
}
