import { Column, type ColumnOptions, getMetadataArgsStorage } from 'typeorm';

/** A column with encrypted values. The primary key of its table is `id`. */
export interface SealedColumnDescription {
  readonly table: string;
  readonly column: string;
  /** The encryption context of the value in the row with this id. */
  readonly contextOf: (id: string) => string;
}

interface DeclaredColumn {
  readonly target: object;
  readonly propertyName: string | symbol;
  readonly contextOf: (id: string) => string;
}

const declared: DeclaredColumn[] = [];

/**
 * Declares a text column with values that `Encryption` encrypts. The command `secrets rotate` encrypts the values of
 * every such column again.
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

/** The columns with encrypted values in all loaded entities. */
export function sealedColumns(): readonly SealedColumnDescription[] {
  const { tables, columns } = getMetadataArgsStorage();
  return declared.flatMap(({ target, propertyName, contextOf }) => {
    const table = tables.find((one) => one.target === target)?.name;
    const column = columns.find((one) => one.target === target && one.propertyName === propertyName);
    if (table === undefined || column === undefined) return [];
    return [{ table, column: column.options.name ?? column.propertyName, contextOf }];
  });
}
