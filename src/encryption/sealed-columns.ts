import { Column, type ColumnOptions, getMetadataArgsStorage } from 'typeorm';

/** A text column with encrypted values, in a table whose primary key is `id`. */
export interface SealedColumnDescription {
  readonly table: string;
  readonly column: string;
  /**
   * Returns the encryption context of the value in the row with this id. The value can be decrypted only with an equal
   * context.
   */
  readonly contextOf: (id: string) => string;
}

interface DeclaredColumn {
  readonly target: object;
  readonly propertyName: string | symbol;
  readonly contextOf: (id: string) => string;
}

const declared: DeclaredColumn[] = [];

/**
 * Declares a text column with encrypted values. The command `secrets rotate` encrypts these values again with the
 * current key.
 */
export function SealedColumn(
  contextOf: (id: string) => string,
  options: ColumnOptions & { readonly type: 'text' | 'varchar' },
): PropertyDecorator {
  return (target, propertyName) => {
    Column(options)(target, propertyName);
    declared.push({ target: target.constructor, propertyName, contextOf });
  };
}

/** Returns the columns with encrypted values, of all entities that are loaded in this process. */
export function sealedColumns(): readonly SealedColumnDescription[] {
  const { tables, columns } = getMetadataArgsStorage();
  return declared.flatMap(({ target, propertyName, contextOf }) => {
    const table = tables.find((one) => one.target === target)?.name;
    const column = columns.find((one) => one.target === target && one.propertyName === propertyName);
    if (table === undefined || column === undefined) return [];
    return [{ table, column: column.options.name ?? column.propertyName, contextOf }];
  });
}
