/** An idempotency key, claimed by the commit that creates the resource. */
export interface KeyClaim {
  readonly id: string;
  readonly requestHash: string;
  /** Id of the resource that the request creates; null if it creates none. */
  readonly resourceId: string | null;
  /** Time of the claim, ISO 8601. */
  readonly createdAt: string;
}

/** The stored response to a request. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON. */
  readonly body: string;
}

/** The resource that a request created, recorded by the same commit. */
export interface MadeResource {
  readonly id: string;
  /** Time of creation, ISO 8601. */
  readonly madeAt: string;
}
