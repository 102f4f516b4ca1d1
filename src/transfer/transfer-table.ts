/** A database table and its columns, as the entity describes them. */
export interface TransferTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    /** Type of the column in PostgreSQL. */
    readonly type: string;
  }[];
  /** Name of the column whose numbers the database generates; null if no column has generated numbers. */
  readonly counted: string | null;
}

/** Rows of a table as one array per column, in column order. Each value is a string that PostgreSQL can parse. */
export type TransferBatch = readonly (readonly (string | null)[])[];
