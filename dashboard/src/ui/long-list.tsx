import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Rows that are drawn, or left out, together. */
const BLOCK = 50;
/** How far beyond the screen rows are drawn, so that scrolling finds them, in pixels. */
const MARGIN = 600;

interface LongListProps {
  /** What the rows are, read out. */
  readonly label: string;
  readonly count: number;
  /** Of a row while it is not drawn, in pixels; its real height is its own. */
  readonly rowHeight: number;
  /** The last row first. */
  readonly isReversed?: boolean;
  /** Less than usual where rows are dear: what is beyond the screen costs as much as what is on it. */
  readonly blockSize?: number;
  readonly margin?: number;
  /** This row stays drawn wherever the list is scrolled to: it may be higher than others. */
  readonly kept?: number | null;
  readonly children: (index: number) => ReactNode;
}

/** Any number of rows, of which only those near the screen are in the page. It scrolls with whatever it is in. */
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
            // The first is on the screen when the list is.
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
      // What has the focus must not go from under it.
      (entries) => setNear(entries.at(-1)?.isIntersecting === true || own.contains(document.activeElement)),
      // The first is of the window, the second of what scrolls in it.
      { rootMargin: `${margin}px`, scrollMargin: `${margin}px` },
    );
    observer.observe(own);
    return () => observer.disconnect();
  }, [margin]);
  const isDrawn = isNear || isKept || isFirst;
  return isDrawn ? (
    // What changes in it is painted and laid out without looking at the others.
    <ol ref={element} className="contain-content">
      {children()}
    </ol>
  ) : (
    // Nothing to be read out: what is not drawn is drawn as soon as somebody comes near.
    <ol ref={element} aria-hidden style={{ height }} />
  );
}
