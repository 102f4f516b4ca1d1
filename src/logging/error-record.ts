/** Fields of an error that are logged. Other fields, such as SQL statements and their parameters, are omitted. */
export interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorRecord;
}

const MAX_CAUSES = 4;

export function errorRecord(error: unknown, depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth >= MAX_CAUSES
      ? {}
      : { cause: errorRecord(error.cause, depth + 1) }),
  };
}
