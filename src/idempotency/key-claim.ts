/** An idempotency key, and the resource that the request with the key created. */
export interface KeyClaim {
  readonly id: string;
  readonly requestHash: string;
  readonly resourceId: string | null;
  readonly createdAt: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface MadeResource {
  readonly id: string;
  readonly madeAt: string;
}
