import type { Json } from '../expressions/index.js';

/** Characters of JSON beyond which a value is stored outside of its event and does not stay in memory. */
export const INLINE_LIMIT = 16_384;

/** The field of an event that holds a long value. */
export interface LongValuePlace {
  /** Null is the execution itself. */
  readonly executionId: string | null;
  readonly sequence: number;
  readonly field: 'input' | 'output' | 'resumption';
}

/** JSON text, or a long value whose text stands there. */
export type LongValuePiece = string | LongValue;

/**
 * A JSON value that is too long to stay in memory. It holds its text until that is stored, and from then on only
 * the place. Its owner is a single run; what it stands for never changes.
 */
export class LongValue {
  private constructor(
    private content: readonly LongValuePiece[] | null,
    private at: LongValuePlace | null,
    /** Bytes of its JSON text; characters while it is not stored, 0 where an older version stored it. */
    readonly size: number,
  ) {}

  static ofText(text: string): LongValue {
    return new LongValue([text], null, text.length);
  }

  /** A value whose text is made of the texts of others, which are stored once. */
  static ofPieces(pieces: readonly LongValuePiece[]): LongValue {
    return new LongValue(
      pieces,
      null,
      pieces.reduce((sum, piece) => sum + sizeOf(piece), 0),
    );
  }

  static storedAt(place: LongValuePlace, size: number): LongValue {
    return new LongValue(null, place, size);
  }

  /** Null once it is stored. */
  get pieces(): readonly LongValuePiece[] | null {
    return this.content;
  }

  /** The whole text, where that is still in memory. */
  get text(): string | null {
    const [only, ...others] = this.content ?? [];
    return typeof only === 'string' && others.length === 0 ? only : null;
  }

  /** Null until it is stored. */
  get place(): LongValuePlace | null {
    return this.at;
  }

  /** Its text is durable at a place: memory lets go of it. */
  markStored(place: LongValuePlace): void {
    this.at = place;
    this.content = null;
  }
}

/** A value in an event or a state: long ones stand elsewhere. */
export type RecordedValue = Json | LongValue;

/** Gives the values that long ones stand for. Throws `ValuesNotLoadedError` where the caller has to load them first. */
export type ReadLongValue = (value: LongValue) => Json;

/** Thrown when a decision needs long values that are not in memory: load them and decide again. */
export class ValuesNotLoadedError extends Error {
  override readonly name = 'ValuesNotLoadedError';

  constructor(readonly values: readonly LongValue[]) {
    super('Long values have to be loaded first.');
  }
}

/** Reads only what is still in memory. */
export const readTextInMemory: ReadLongValue = (value) => {
  if (value.text === null) throw new ValuesNotLoadedError([value]);
  return JSON.parse(value.text) as Json;
};

/** Reads of an event's data, or the place where the journal stores the value. */
export function recordedValue(data: object, field: LongValuePlace['field'], sequence: number): RecordedValue {
  const fields = data as Readonly<Record<string, unknown>>;
  const value = fields[field];
  if (value !== undefined || fields[`${field}_truncated`] !== true) return (value ?? null) as RecordedValue;
  const size = fields[`${field}_bytes`];
  return LongValue.storedAt({ executionId: null, sequence, field }, typeof size === 'number' ? size : 0);
}

/** Adds a field that is read, if it is long, when an expression first looks at it. */
export function withLazyField<T extends object>(
  target: T,
  name: string,
  value: RecordedValue,
  read: ReadLongValue,
): T {
  if (!(value instanceof LongValue)) return Object.assign(target, { [name]: value });
  return Object.defineProperty(target, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      const known = read(value);
      Object.defineProperty(target, name, { value: known, enumerable: true });
      return known;
    },
  });
}

/** The JSON text of a list or map may be made of pieces, of which no text is copied. */
export function objectOf(entries: readonly (readonly [string, RecordedValue])[]): RecordedValue {
  if (!entries.some(([, value]) => value instanceof LongValue)) return Object.fromEntries(entries) as Json;
  const pieces = entries.flatMap(([key, value], index): LongValuePiece[] => {
    const before = `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`;
    return value instanceof LongValue ? [before, value] : [before + JSON.stringify(value)];
  });
  return LongValue.ofPieces([...pieces, '}']);
}

function sizeOf(piece: LongValuePiece): number {
  return typeof piece === 'string' ? piece.length : piece.size;
}
