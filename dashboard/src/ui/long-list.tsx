import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Number of rows per block. A block is rendered as a whole, or not at all. */
const BLOCK = 50;
/** Distance from the viewport within which rows are rendered, in pixels. */
const MARGIN = 600;

interface LongListProps {
  /** Names the rows for screen readers. */
  readonly label: string;
  readonly count: number;
  /** Estimated height of an unrendered row, in pixels. */
  readonly rowHeight: number;
  /** Shows the last row first. */
  readonly isReversed?: boolean;
  /** Number of rows per block. Slow rows need smaller blocks. */
  readonly blockSize?: number;
  readonly margin?: number;
  /** Index of a row that is always rendered, even if tall. */
  readonly kept?: number | null;
  readonly children: (index: number) => ReactNode;
}

/** A virtual list: only rows near the viewport are in the DOM. */
export function LongList({
  label,
  count,
  rowHeight,
  isReversed = false,
  blockSize = BLOCK,
  margin = MARGIN,
  kept = null,
  children,
}: LongListProps) {
  const blocks = Array.from({ length: Math.ceil(count / blockSize) }, (_, index) => index);
  return (
    <div role="group" aria-label={label}>
      {(isReversed ? blocks.toReversed() : blocks).map((block) => {
        const from = block * blockSize;
        const size = Math.min(blockSize, count - from);
        const indexes = Array.from({ length: size }, (_, index) => from + index);
        return (
          <Block
            key={block}
            height={size * rowHeight}
            isKept={kept !== null && Math.floor(kept / blockSize) === block}
            margin={margin}
            // Visible at first, because this block is at the visible end.
            isFirst={block === (isReversed ? blocks.length - 1 : 0)}
          >
            {() => (isReversed ? indexes.toReversed() : indexes).map(children)}
          </Block>
        );
      })}
    </div>
  );
}

interface BlockProps {
  readonly height: number;
  readonly margin: number;
  readonly isKept: boolean;
  readonly isFirst: boolean;
  readonly children: () => ReactNode;
}

function Block({ height, margin, isKept, isFirst, children }: BlockProps) {
  const element = useRef<HTMLOListElement>(null);
  const [isNear, setNear] = useState(isFirst);
  useEffect(() => {
    const { current: own } = element;
    if (own === null) return;
    const observer = new IntersectionObserver(
      // A block with the focus must stay rendered.
      (entries) => setNear(entries.at(-1)?.isIntersecting === true || own.contains(document.activeElement)),
      // `rootMargin` applies to the viewport, `scrollMargin` to nested scroll containers.
      { rootMargin: `${margin}px`, scrollMargin: `${margin}px` },
    );
    observer.observe(own);
    return () => observer.disconnect();
  }, [margin]);
  const isDrawn = isNear || isKept || isFirst;
  return isDrawn ? (
    // CSS containment: a change in one block causes no layout of the others.
    <ol ref={element} className="contain-content">
      {children()}
    </ol>
  ) : (
    // Hidden from screen readers until rendered.
    <ol ref={element} aria-hidden style={{ height }} />
  );
}
