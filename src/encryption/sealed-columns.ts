import { Column, type ColumnOptions, getMetadataArgsStorage } from 'typeorm';

/** A column whose values are encrypted. Its table has a primary key `id`. */
export interface SealedColumnDescription {
  readonly table: string;
  readonly column: string;
  /** Context of `Encryption` for the value in the row of an id. */
  readonly contextOf: (id: string) => string;
}

interface DeclaredColumn {
  readonly target: object;
  readonly propertyName: string | symbol;
  readonly contextOf: (id: string) => string;
}

const declared: DeclaredColumn[] = [];

/** A text column of values sealed by `Encryption`. `secrets rotate` encrypts every such column again. */
export function SealedColumn(
  contextOf: (id: string) => string,
  options: ColumnOptions & { readonly type: 'text' | 'varchar' },
): PropertyDecorator {
  return (target, propertyName) => {
    Column(options)(target, propertyName);
    declared.push({ target: target.constructor, propertyName, contextOf });
  };
}

/** The sealed columns of every entity that is loaded. */
export function sealedColumns(): readonly SealedColumnDescription[] {
  const { tables, columns } = getMetadataArgsStorage();
  return declared.flatMap(({ target, propertyName, contextOf }) => {
    const table = tables.find((one) => one.target === target)?.name;
    const column = columns.find((one) => one.target === target && one.propertyName === propertyName);
    if (table === undefined || column === undefined) return [];
    return [{ table, column: column.options.name ?? column.propertyName, contextOf }];
  });
}
