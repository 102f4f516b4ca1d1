/**
 * Matches a search text that may be the start of an id or of its last eight characters: at least four
 * characters.
 */
export const PART_OF_ID = /^[0-9a-f-]{4,36}$/;

/** Position of an id's last eight characters, from 1. */
export const ID_END = 29;

/** Character between the texts of a list. Searches that contain this character are refused. */
const SEPARATOR = '\0';

export interface RowTexts {
  readonly id: string;
  readonly texts: readonly string[];
}

/** The normalized search text. Empty for none. */
export function wantedText(text: string | undefined): string {
  return text?.trim().toLowerCase() ?? '';
}

/**
 * The texts of a list in one string, because searching one long string is faster than searching many short strings.
 */
export class ListTexts {
  private readonly ids: readonly string[];
  private readonly text: string;
  /** Index at which the texts of each row begin. The last element is the length of all texts. */
  private readonly starts: readonly number[];
  /** Number of characters of all ids and texts. */
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
   * Ids of the matching rows, in their original order.
   *
   * @param wanted not empty
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
