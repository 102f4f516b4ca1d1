import { Link, type LinkProps } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { texts } from '../texts/en/ui.ts';
import { classes } from './classes.ts';
import { useShortcut } from './shortcuts.tsx';

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  /** CSS classes that set the width of the column on wide screens. At most one column of a table may omit the width. */
  readonly width?: string;
  /** Alignment of the column. Columns of numbers are right-aligned. */
  readonly align?: 'right';
  /** Hides the column on narrow screens. */
  readonly wideOnly?: boolean;
  /** Hides the header of the column visually. Screen readers still read the header. */
  readonly hideHeader?: boolean;
}

export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

export interface DataTableProps<T> {
  /** Name of the table for screen readers, such as `Executions`. */
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T) => string;
  readonly rowLink?: (row: T) => RowLink;
  /** Reduces the height of rows from 40 to 32 pixels. */
  readonly dense?: boolean;
  /** Selection of rows for bulk actions; absent if rows cannot be selected. */
  readonly choice?: RowChoice<T>;
}

export interface RowChoice<T> {
  /** Keys of the selected rows. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (rows: readonly T[], chosen: boolean) => void;
  /** Returns the name of a row for the label of its checkbox, such as `run 9f2c`. */
  readonly nameOf: (row: T) => string;
}

const ROW_FOCUS = '[data-row-focus]';
/**
 * CSS classes of the first column. On narrow screens, the column gets the width that other columns leave. The maximum
 * width of 0 prevents a long word from widening the table.
 */
const GROWING = 'max-md:w-full max-md:max-w-0 max-md:wrap-anywhere';

export function DataTable<T>(props: DataTableProps<T>) {
  const { label, rows, columns, rowKey, rowLink, dense = false, choice } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const lastNarrow = columns.findLastIndex(({ wideOnly }) => wideOnly !== true);
  const move = (step: number): void => {
    const stops = [...(body.current?.querySelectorAll<HTMLElement>(ROW_FOCUS) ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    const next = at === -1 ? (step > 0 ? 0 : stops.length - 1) : at + step;
    stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus();
  };
  useShortcut('j', texts.nextRow, () => move(1), { group: texts.lists, enabled: rowLink !== undefined });
  useShortcut('k', texts.previousRow, () => move(-1), { group: texts.lists, enabled: rowLink !== undefined });
  const onArrow = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  };
  return (
    <table
      aria-label={label}
      className={classes(
        'w-full max-w-[1600px] border-separate border-spacing-0',
        columns.some(({ width }) => width !== undefined) && 'md:table-fixed',
      )}
    >
      <thead>
        <tr>
          {choice !== undefined && (
            <th scope="col" className="sticky top-0 z-10 h-8 w-8 border-b border-border bg-bg pl-5 text-left">
              <input
                type="checkbox"
                aria-label={texts.selectAll}
                checked={rows.every((row) => choice.chosen.has(rowKey(row)))}
                onChange={(event) => choice.onChange(rows, event.target.checked)}
                className="checkbox"
              />
            </th>
          )}
          {columns.map((column, index) => (
            <th
              key={column.id}
              scope="col"
              className={classes(
                'label sticky top-0 z-10 h-8 border-b border-border bg-bg px-2 text-left first:pl-5 last:pr-5 md:px-3',
                index === 0 && GROWING,
                index === lastNarrow && 'max-md:pr-5',
                column.align === 'right' && 'text-right',
                column.wideOnly === true && 'max-md:hidden',
                column.width,
              )}
            >
              {column.hideHeader === true ? <span className="sr-only">{column.header}</span> : column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            className={classes(
              'group relative',
              rowLink !== undefined && 'hover:bg-muted focus-within:bg-muted',
            )}
          >
            {choice !== undefined && (
              <td className="border-b border-border pl-5">
                <input
                  type="checkbox"
                  aria-label={texts.select(choice.nameOf(row))}
                  checked={choice.chosen.has(rowKey(row))}
                  onChange={(event) => choice.onChange([row], event.target.checked)}
                  className="checkbox relative z-[1]"
                />
              </td>
            )}
            {columns.map((column, index) => (
              <td
                key={column.id}
                className={classes(
                  'border-b border-border px-2 first:pl-5 last:pr-5 md:px-3',
                  index === 0 && GROWING,
                  index === lastNarrow && 'max-md:pr-5',
                  dense ? 'h-8 py-1' : 'h-10 py-1.5',
                  column.align === 'right' && 'text-right whitespace-nowrap',
                  column.wideOnly === true && 'max-md:hidden',
                )}
              >
                {index === 0 && rowLink !== undefined ? (
                  <RowAnchor link={rowLink(row)} onKeyDown={onArrow}>
                    {column.cell(row)}
                  </RowAnchor>
                ) : (
                  // The content of the cell lies above the link that covers the row, so that buttons and tooltips in
                  // the cell work.
                  <div
                    className="relative z-[1] has-[button,a,input,time]:w-fit data-[align=right]:ml-auto"
                    data-align={column.align}
                  >
                    {column.cell(row)}
                  </div>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RowAnchorProps {
  readonly link: RowLink;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** The link of a table row. Its clickable area covers the whole row. */
function RowAnchor({ link, onKeyDown, children }: RowAnchorProps) {
  return (
    <Link
      {...link}
      onKeyDown={onKeyDown}
      data-row-focus
      className="font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {children}
    </Link>
  );
}
