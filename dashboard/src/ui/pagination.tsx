import { number } from '../format/index.ts';
import { texts } from '../texts/en/ui.ts';
import { Button } from './button.tsx';

interface PaginationProps {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

/** Maximum offset that the service accepts in list requests. */
const LAST_OFFSET = 10_000;

export function Pagination({ total, limit, offset, onOffset }: PaginationProps) {
  const last = Math.min(offset + limit, total);
  return (
    <nav
      aria-label={texts.pages}
      className="flex max-w-[1600px] items-center justify-between gap-4 px-5 py-2 text-text-2"
    >
      <span className="num">
        {texts.rangeOf(total === 0 ? '0' : `${number(offset + 1)}–${number(last)}`, number(total))}
      </span>
      <span className="flex gap-2">
        <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
          {texts.previous}
        </Button>
        <Button
          disabled={last >= total || offset + limit > LAST_OFFSET}
          onClick={() => onOffset(offset + limit)}
        >
          {texts.next}
        </Button>
      </span>
    </nav>
  );
}
