import type { Json } from '../expressions/index.js';

/**
 * Maximum length of a JSON value that is stored inside its event, in characters. A longer value is stored separately.
 */
export const INLINE_LIMIT = 16_384;

/** Location of a stored long value: execution, event and field. */
export interface LongValuePlace {
  /** Id of the execution that stores the value; null if the value belongs to the execution that refers to it. */
  readonly executionId: string | null;
  readonly sequence: number;
  readonly field: 'input' | 'output' | 'resumption';
}

/** A piece of a JSON text: a string, or another long value whose text belongs at this position. */
export type LongValuePiece = string | LongValue;

/**
 * A JSON value that is too long to keep in memory. After the value is stored, the object contains only its location.
 * Each object belongs to one run of an execution.
 */
export class LongValue {
  private constructor(
    private content: readonly LongValuePiece[] | null,
    private at: LongValuePlace | null,
    /**
     * Size of the JSON text: in characters before the value is stored, in bytes afterwards. 0 if an older version of
     * the service stored the value without a size.
     */
    readonly size: number,
  ) {}

  static ofText(text: string): LongValue {
    return new LongValue([text], null, text.length);
  }

  /** Creates a long value from strings and other long values, without copying their texts. */
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

  /** Pieces of the JSON text; null after the value was stored. */
  get pieces(): readonly LongValuePiece[] | null {
    return this.content;
  }

  /** The whole JSON text if it is in memory as one piece, otherwise null. */
  get text(): string | null {
    const [only, ...others] = this.content ?? [];
    return typeof only === 'string' && others.length === 0 ? only : null;
  }

  /** Location of the stored text; null before the value is stored. */
  get place(): LongValuePlace | null {
    return this.at;
  }

  markStored(place: LongValuePlace): void {
    this.at = place;
    this.content = null;
  }
}

export type RecordedValue = Json | LongValue;

/**
 * Returns the JSON value of a long value.
 *
 * @throws ValuesNotLoadedError when the text is not in memory and the caller must load it first
 */
export type ReadLongValue = (value: LongValue) => Json;

/**
 * Thrown when the engine needs long values for a decision, but the values are not in memory. The caller loads the
 * values and calls the engine again.
 */
export class ValuesNotLoadedError extends Error {
  override readonly name = 'ValuesNotLoadedError';

  constructor(readonly values: readonly LongValue[]) {
    super(
      'The engine needs long values of the execution that are not in memory. Load the values and call the engine again.',
    );
  }
}

/** @throws ValuesNotLoadedError for a value that is not in memory */
export const readTextInMemory: ReadLongValue = (value) => {
  if (value.text === null) throw new ValuesNotLoadedError([value]);
  return JSON.parse(value.text) as Json;
};

/**
 * Returns the value of a field of an event. If the value is stored separately, returns a reference to the long value.
 */
export function recordedValue(data: object, field: LongValuePlace['field'], sequence: number): RecordedValue {
  const fields = data as Readonly<Record<string, unknown>>;
  const value = fields[field];
  if (value !== undefined || fields[`${field}_truncated`] !== true) return (value ?? null) as RecordedValue;
  const size = fields[`${field}_bytes`];
  return LongValue.storedAt({ executionId: null, sequence, field }, typeof size === 'number' ? size : 0);
}

/** Adds a field to an object. If the value of the field is long, the first access to the field reads the value. */
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

/** Builds a JSON object from entries, without copying the texts of long values. */
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
