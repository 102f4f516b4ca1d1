/** A table and its columns, as the entity describes them. */
export interface TransferTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    /** Name of the type in PostgreSQL. */
    readonly type: string;
  }[];
  /** The auto-increment column; null if there is none. */
  readonly counted: string | null;
}

/** Rows of a table as one array per column, in column order. Each value is a string that PostgreSQL can parse. */
export type TransferBatch = readonly (readonly (string | null)[])[];
