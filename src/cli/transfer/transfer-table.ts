/** A table as the entities describe it. */
export interface TransferTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    /** As PostgreSQL names it. */
    readonly type: string;
  }[];
  /** The column that the database counts up. */
  readonly counted: string | null;
}

/** Rows of a table, column by column in the order of its columns; each value as the text that PostgreSQL reads. */
export type TransferBatch = readonly (readonly (string | null)[])[];
