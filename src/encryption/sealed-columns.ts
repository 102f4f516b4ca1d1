import { Column, type ColumnOptions, getMetadataArgsStorage } from 'typeorm';

/** A text column of encrypted values. The primary key of its table must be `id`. */
export interface SealedColumnDescription {
  readonly table: string;
  readonly column: string;
  /**
   * Returns the context of the value in the row with this id. The value can be decrypted only with this
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

/** Returns the encrypted columns of all loaded entities. */
export function sealedColumns(): readonly SealedColumnDescription[] {
  const { tables, columns } = getMetadataArgsStorage();
  return declared.flatMap(({ target, propertyName, contextOf }) => {
    const table = tables.find((one) => one.target === target)?.name;
    const column = columns.find((one) => one.target === target && one.propertyName === propertyName);
    if (table === undefined || column === undefined) return [];
    return [{ table, column: column.options.name ?? column.propertyName, contextOf }];
  });
}
