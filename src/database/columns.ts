import { Column, type ColumnOptions, getMetadataArgsStorage, PrimaryGeneratedColumn } from 'typeorm';
import type { DatabaseSettings } from '../settings/index.js';

/** A column whose type differs between the databases while its value in code is equal. */
type PortableType = 'id' | 'time' | 'json' | 'position';

const TIME = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value instanceof Date ? value.toISOString() : value),
};

const COUNT = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};

/** Only for text columns: PostgreSQL's driver converts JSON itself. */
const JSON_TEXT = {
  to: (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value)),
  from: (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value),
};

export const AS_IT_IS = { to: (value: unknown) => value, from: (value: unknown) => value };

const TYPES: Readonly<Record<PortableType, Readonly<Record<DatabaseSettings['dialect'], ColumnOptions>>>> = {
  id: { sqlite: { type: 'varchar' }, postgres: { type: 'uuid' } },
  time: {
    sqlite: { type: 'varchar', transformer: AS_IT_IS },
    postgres: { type: 'timestamptz', precision: 3, transformer: TIME },
  },
  json: {
    sqlite: { type: 'text', transformer: JSON_TEXT },
    postgres: { type: 'json', transformer: AS_IT_IS },
  },
  position: {
    sqlite: { type: 'integer', transformer: AS_IT_IS },
    postgres: { type: 'bigint', transformer: COUNT },
  },
};

const portableColumns: { readonly options: ColumnOptions; readonly type: PortableType }[] = [];

function portable(type: PortableType, options: ColumnOptions): PropertyDecorator {
  return (target, propertyName) => {
    Column({ ...options, ...TYPES[type].sqlite })(target, propertyName);
    remember(target, propertyName, type);
  };
}

function remember(target: object, propertyName: string | symbol, type: PortableType): void {
  const args = getMetadataArgsStorage().columns.find(
    (column) => column.target === target.constructor && column.propertyName === propertyName,
  );
  if (args !== undefined) portableColumns.push({ options: args.options, type });
}

/** A UUID, as text in code. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => portable('id', options);

/** An instant; in code an ISO 8601 text in UTC with milliseconds, which sorts as text and is the wire format. */
export const TimeColumn = (options: ColumnOptions = {}): PropertyDecorator => portable('time', options);

/** A JSON document. Its text is stored unchanged. */
export const JsonColumn = (options: ColumnOptions = {}): PropertyDecorator => portable('json', options);

/** A 64-bit counter that stays under 2^53. */
export const PositionColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  portable('position', options);

/** An auto-incremented primary key; values are never reused. */
export function GeneratedPositionColumn(): PropertyDecorator {
  return (target, propertyName) => {
    PrimaryGeneratedColumn({ type: 'integer' })(target, propertyName);
    remember(target, propertyName, 'position');
  };
}

/** Selects the column types of one database; called before a data source reads the entities. */
export function applyDialect(dialect: DatabaseSettings['dialect']): void {
  for (const { options, type } of portableColumns) Object.assign(options, TYPES[type][dialect]);
}
