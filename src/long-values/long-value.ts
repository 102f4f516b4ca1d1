import type { Json } from '../expressions/index.js';

/** Length of JSON in characters above which a value is stored separately from its event and released from memory. */
export const INLINE_LIMIT = 16_384;

/** Location of a stored long value: execution, event and field. */
export interface LongValuePlace {
  /** Id of the execution that stores the value; null if the execution that refers to the value stores it. */
  readonly executionId: string | null;
  readonly sequence: number;
  readonly field: 'input' | 'output' | 'resumption';
}

/** A piece of a JSON text: text, or a long value whose text is inserted at this place. */
export type LongValuePiece = string | LongValue;

/**
 * A JSON value that is too long to keep in memory. It has its text until the text is stored; afterwards it has only the
 * location. The value never changes, and only one run may use an instance.
 */
export class LongValue {
  private constructor(
    private content: readonly LongValuePiece[] | null,
    private at: LongValuePlace | null,
    /**
     * Size of the JSON text: in characters until it is stored, then in bytes. 0 if an older version of the service
     * stored it.
     */
    readonly size: number,
  ) {}

  static ofText(text: string): LongValue {
    return new LongValue([text], null, text.length);
  }

  /** Composes a value from texts and other long values. The texts of these long values are not copied. */
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

  /** Pieces of the text; null once the text is stored. */
  get pieces(): readonly LongValuePiece[] | null {
    return this.content;
  }

  /** The whole text if it is in memory and consists of one piece, else null. */
  get text(): string | null {
    const [only, ...others] = this.content ?? [];
    return typeof only === 'string' && others.length === 0 ? only : null;
  }

  /** Location of the stored text; null until it is stored. */
  get place(): LongValuePlace | null {
    return this.at;
  }

  /** Releases the text from memory after it was stored at a place. */
  markStored(place: LongValuePlace): void {
    this.at = place;
    this.content = null;
  }
}

/** A value in an event or a state. Long values are represented by references. */
export type RecordedValue = Json | LongValue;

/**
 * Returns the JSON of a long value.
 * @throws ValuesNotLoadedError when the caller must load it first
 */
export type ReadLongValue = (value: LongValue) => Json;

/** Thrown when a decision needs long values that are not in memory. The caller loads them and decides again. */
export class ValuesNotLoadedError extends Error {
  override readonly name = 'ValuesNotLoadedError';

  constructor(readonly values: readonly LongValue[]) {
    super('Long values must be loaded first.');
  }
}

/**
 * Reads only values whose text is in memory.
 * @throws ValuesNotLoadedError for other values
 */
export const readTextInMemory: ReadLongValue = (value) => {
  if (value.text === null) throw new ValuesNotLoadedError([value]);
  return JSON.parse(value.text) as Json;
};

/** The value of a field in an event's data, or a reference if the journal stores the value separately. */
export function recordedValue(data: object, field: LongValuePlace['field'], sequence: number): RecordedValue {
  const fields = data as Readonly<Record<string, unknown>>;
  const value = fields[field];
  if (value !== undefined || fields[`${field}_truncated`] !== true) return (value ?? null) as RecordedValue;
  const size = fields[`${field}_bytes`];
  return LongValue.storedAt({ executionId: null, sequence, field }, typeof size === 'number' ? size : 0);
}

/** Adds a field to an object. If the value of the field is long, it is read at the first access. */
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

/** Builds a JSON object from entries. If an entry is long, the result consists of pieces, so that no text is copied. */
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
