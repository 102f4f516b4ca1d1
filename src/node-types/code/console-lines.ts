const MAX_LINES = 99;
const MAX_CHARACTERS = 8 * 1024;
const OMISSION_NOTE = '(Further lines are omitted.)';

export class ConsoleLines {
  readonly lines: string[] = [];
  private charactersLeft = MAX_CHARACTERS;
  private isLimitReached = false;

  add(line: string): void {
    if (this.isLimitReached) return;
    this.lines.push(line.slice(0, this.charactersLeft));
    this.charactersLeft -= line.length;
    this.isLimitReached = this.charactersLeft <= 0 || this.lines.length >= MAX_LINES;
    if (this.isLimitReached) this.lines.push(OMISSION_NOTE);
  }
}
