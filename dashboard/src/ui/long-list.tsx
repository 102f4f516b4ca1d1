import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Default number of rows per block. A block is either rendered with all its rows or not rendered at all. */
const BLOCK = 50;
/** Default distance from the viewport within which blocks of rows are rendered, in pixels. */
const MARGIN = 600;

interface LongListProps {
  /** Name of the list for screen readers. */
  readonly label: string;
  readonly count: number;
  /** Estimated height of a row that is not rendered, in pixels. */
  readonly rowHeight: number;
  /** Reverses the list, so that the last row is shown first. */
  readonly isReversed?: boolean;
  /** Number of rows per block, 50 by default. Rows that render slowly need smaller blocks. */
  readonly blockSize?: number;
  readonly margin?: number;
  /** Index of a row whose block is always rendered, even if it is far from the viewport; null for none. */
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
            // The block at the top of the list is rendered immediately, because it is initially visible.
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
      // A block that contains the focused element stays rendered, because removing the element would lose the focus.
      (entries) => setNear(entries.at(-1)?.isIntersecting === true || own.contains(document.activeElement)),
      // Both margins are needed: `rootMargin` extends the viewport, and `scrollMargin` extends scroll containers around
      // the list.
      { rootMargin: `${margin}px`, scrollMargin: `${margin}px` },
    );
    observer.observe(own);
    return () => observer.disconnect();
  }, [margin]);
  const isDrawn = isNear || isKept || isFirst;
  return isDrawn ? (
    // CSS containment: a change in one block does not cause a new layout of other blocks.
    <ol ref={element} className="contain-content">
      {children()}
    </ol>
  ) : (
    // A block that is not rendered is a placeholder, which screen readers ignore.
    <ol ref={element} aria-hidden style={{ height }} />
  );
}
