import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Number of rows that are rendered or omitted together. */
const BLOCK = 50;
/** Rows within this distance of the viewport are rendered, in pixels, so that scrolling finds them. */
const MARGIN = 600;

interface LongListProps {
  /** Describes the rows for screen readers. */
  readonly label: string;
  readonly count: number;
  /** Estimated height of an unrendered row in pixels; rendered rows have their own height. */
  readonly rowHeight: number;
  /** Shows the last row first. */
  readonly isReversed?: boolean;
  /**
   * Rows per block. Use fewer for rows that are slow to render, because a block also renders rows outside the viewport.
   */
  readonly blockSize?: number;
  readonly margin?: number;
  /** Index of a row that is always rendered. This row may be taller than the other rows. */
  readonly kept?: number | null;
  readonly children: (index: number) => ReactNode;
}

/** A virtual list of any length: only rows near the viewport are in the DOM. The surrounding element scrolls it. */
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
            // If the list is visible, its first block is visible.
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
      // A block that contains the focus must stay rendered.
      (entries) => setNear(entries.at(-1)?.isIntersecting === true || own.contains(document.activeElement)),
      // `rootMargin` applies to the viewport, `scrollMargin` to nested scroll containers.
      { rootMargin: `${margin}px`, scrollMargin: `${margin}px` },
    );
    observer.observe(own);
    return () => observer.disconnect();
  }, [margin]);
  const isDrawn = isNear || isKept || isFirst;
  return isDrawn ? (
    // CSS containment: changes in a block need no layout or paint of the others.
    <ol ref={element} className="contain-content">
      {children()}
    </ol>
  ) : (
    // Hidden from screen readers: the block is rendered as soon as it comes near the viewport.
    <ol ref={element} aria-hidden style={{ height }} />
  );
}
