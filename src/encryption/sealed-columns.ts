import { Column, type ColumnOptions, getMetadataArgsStorage } from 'typeorm';

/** The primary key of the table is `id`. */
export interface SealedColumnDescription {
  readonly table: string;
  readonly column: string;
  /** Encryption context of the row with this id. */
  readonly contextOf: (id: string) => string;
}

interface DeclaredColumn {
  readonly target: object;
  readonly propertyName: string | symbol;
  readonly contextOf: (id: string) => string;
}

const declared: DeclaredColumn[] = [];

/** Declares a text column of encrypted values, which `secrets rotate` encrypts again. */
export function SealedColumn(
  contextOf: (id: string) => string,
  options: ColumnOptions & { readonly type: 'text' | 'varchar' },
): PropertyDecorator {
  return (target, propertyName) => {
    Column(options)(target, propertyName);
    declared.push({ target: target.constructor, propertyName, contextOf });
  };
}

/** Searches all loaded entities. */
export function sealedColumns(): readonly SealedColumnDescription[] {
  const { tables, columns } = getMetadataArgsStorage();
  return declared.flatMap(({ target, propertyName, contextOf }) => {
    const table = tables.find((one) => one.target === target)?.name;
    const column = columns.find((one) => one.target === target && one.propertyName === propertyName);
    if (table === undefined || column === undefined) return [];
    return [{ table, column: column.options.name ?? column.propertyName, contextOf }];
  });
}
