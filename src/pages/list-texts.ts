/**
 * Matches a search text that can be the start of an id, or the start of the last eight characters of an id. The text
 * must have at least four characters.
 */
export const PART_OF_ID = /^[0-9a-f-]{4,36}$/;

/** Position at which the last eight characters of an id start, counted from 1 as in SQL. */
export const ID_END = 29;

/**
 * Character that ends each text in the joined string. A search text cannot contain this character, so no match spans
 * two texts.
 */
const SEPARATOR = '\0';

export interface RowTexts {
  readonly id: string;
  readonly texts: readonly string[];
}

/** Returns the search text trimmed and in lower case; an empty string if the caller gave no search text. */
export function wantedText(text: string | undefined): string {
  return text?.trim().toLowerCase() ?? '';
}

/**
 * Searchable texts of a list, joined in one string. Searching one long string is faster than searching many short
 * strings.
 */
export class ListTexts {
  private readonly ids: readonly string[];
  private readonly text: string;
  /**
   * Index in the joined string at which the texts of each row start. The last element is the length of the joined
   * string.
   */
  private readonly starts: readonly number[];
  /** Total number of characters of all ids and searchable texts. */
  readonly size: number;

  constructor(rows: readonly RowTexts[]) {
    this.ids = rows.map(({ id }) => id);
    const texts = rows.map((row) => row.texts.map((text) => text + SEPARATOR).join(''));
    this.text = texts.join('');
    let end = 0;
    this.starts = [0, ...texts.map(({ length }) => (end += length))];
    this.size = end + this.ids.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Returns the ids of the rows that match a search text, in the order of the list.
   *
   * @param wanted search text, which must not be empty
   */
  find(wanted: string): readonly string[] {
    const found = this.rowsWith(wanted);
    if (!PART_OF_ID.test(wanted)) return found.map((row) => this.ids[row] ?? '');
    const rows = new Set(found);
    return this.ids.filter(
      (id, row) => rows.has(row) || id.startsWith(wanted) || id.startsWith(wanted, ID_END - 1),
    );
  }

  private rowsWith(wanted: string): readonly number[] {
    const rows: number[] = [];
    let row = 0;
    for (let at = this.text.indexOf(wanted); at >= 0; at = this.text.indexOf(wanted, this.starts[row])) {
      while ((this.starts[row + 1] ?? Infinity) <= at) row += 1;
      rows.push(row);
      row += 1;
    }
    return rows;
  }
}
