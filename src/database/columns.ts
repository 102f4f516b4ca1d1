import { Column, type ColumnOptions, getMetadataArgsStorage, PrimaryGeneratedColumn } from 'typeorm';
import type { DatabaseSettings } from '../settings/index.js';

/** Column types that SQLite and PostgreSQL store as different database types. */
type PortableType = 'id' | 'time' | 'json' | 'position' | 'word';

const TIME = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value instanceof Date ? value.toISOString() : value),
};

const COUNT = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};

/**
 * Converts JSON values to text for a text column, and back. On PostgreSQL, the driver parses `json` columns instead.
 */
const JSON_TEXT = {
  to: (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value)),
  from: (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value),
};

export const IDENTITY_TRANSFORMER = { to: (value: unknown) => value, from: (value: unknown) => value };

const TYPES: Readonly<Record<PortableType, Readonly<Record<DatabaseSettings['dialect'], ColumnOptions>>>> = {
  id: { sqlite: { type: 'varchar' }, postgres: { type: 'uuid' } },
  time: {
    sqlite: { type: 'varchar', transformer: IDENTITY_TRANSFORMER },
    postgres: { type: 'timestamptz', precision: 3, transformer: TIME },
  },
  json: {
    sqlite: { type: 'text', transformer: JSON_TEXT },
    postgres: { type: 'json', transformer: IDENTITY_TRANSFORMER },
  },
  position: {
    sqlite: { type: 'integer', transformer: IDENTITY_TRANSFORMER },
    postgres: { type: 'bigint', transformer: COUNT },
  },
  word: {
    sqlite: { type: 'varchar', collation: 'BINARY' },
    postgres: { type: 'varchar', collation: 'C' },
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

/** Column for a UUID. The value is a string in the code. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => portable('id', options);

/** Column for a time. The value is ISO 8601 text in UTC with milliseconds, so times can be compared as text. */
export const TimeColumn = (options: ColumnOptions = {}): PropertyDecorator => portable('time', options);

/** Column for a JSON value, which the database stores as text. */
export const JsonColumn = (options: ColumnOptions = {}): PropertyDecorator => portable('json', options);

/** Column for a 64-bit counter. Its values stay below 2^53, so that a JavaScript number represents them exactly. */
export const PositionColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  portable('position', options);

/** Column for text that is sorted by its bytes. All texts with a given prefix are therefore one range of an index. */
export const WordColumn = (options: ColumnOptions = {}): PropertyDecorator => portable('word', options);

/**
 * Column for an auto-incremented primary key, whose values are never reused.
 * @param postgresDefault SQL expression of the default value on PostgreSQL
 */
export function GeneratedPositionColumn(postgresDefault?: string): PropertyDecorator {
  return (target, propertyName) => {
    PrimaryGeneratedColumn({ type: 'integer' })(target, propertyName);
    remember(target, propertyName, 'position');
    if (postgresDefault !== undefined) rememberDefault(target, propertyName, postgresDefault);
  };
}

function rememberDefault(target: object, propertyName: string | symbol, postgresDefault: string): void {
  const isOwn = (one: { readonly target: unknown; readonly propertyName: string }): boolean =>
    one.target === target.constructor && one.propertyName === propertyName;
  const generation = getMetadataArgsStorage().generations.find(isOwn);
  const column = getMetadataArgsStorage().columns.find(isOwn);
  if (generation === undefined || column === undefined)
    throw new Error('The default cannot be set, because TypeORM has no metadata of this generated column.');
  orderedColumns.push({ generation, options: column.options, postgresDefault });
}

const orderedColumns: {
  readonly generation: ReturnType<typeof getMetadataArgsStorage>['generations'][number];
  readonly options: ColumnOptions;
  readonly postgresDefault: string;
}[] = [];

/**
 * Sets the database types of all columns for SQLite or PostgreSQL. Must be called before a data source reads the
 * entities.
 */
export function applyDialect(dialect: DatabaseSettings['dialect']): void {
  for (const { options, type } of portableColumns) Object.assign(options, TYPES[type][dialect]);
  const { generations } = getMetadataArgsStorage();
  for (const { generation, options, postgresDefault } of orderedColumns) {
    const isGenerated = generations.includes(generation);
    if (dialect === 'sqlite') {
      Object.assign(options, { default: undefined });
      if (!isGenerated) generations.push(generation);
    } else {
      Object.assign(options, { default: () => postgresDefault });
      if (isGenerated) generations.splice(generations.indexOf(generation), 1);
    }
  }
}
