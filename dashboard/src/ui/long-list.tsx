import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Rows that are drawn, or left out, together. */
const BLOCK = 50;
/** How far beyond the screen rows are drawn, so that scrolling finds them. */
const MARGIN = '600px';

interface LongListProps {
  /** What the rows are, read out. */
  readonly label: string;
  readonly count: number;
  /** Of a row while it is not drawn, in pixels; its real height is its own. */
  readonly rowHeight: number;
  /** The last row first. */
  readonly isReversed?: boolean;
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
  kept = null,
  children,
}: LongListProps) {
  const blocks = Array.from({ length: Math.ceil(count / BLOCK) }, (_, index) => index);
  return (
    <div role="group" aria-label={label}>
      {(isReversed ? blocks.toReversed() : blocks).map((block) => {
        const from = block * BLOCK;
        const size = Math.min(BLOCK, count - from);
        const indexes = Array.from({ length: size }, (_, index) => from + index);
        return (
          <Block
            key={block}
            height={size * rowHeight}
            isKept={kept !== null && Math.floor(kept / BLOCK) === block}
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
  readonly isKept: boolean;
  readonly isFirst: boolean;
  readonly children: () => ReactNode;
}

function Block({ height, isKept, isFirst, children }: BlockProps) {
  const element = useRef<HTMLOListElement>(null);
  const [isNear, setNear] = useState(isFirst);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.at(-1)?.isIntersecting ?? false),
      // The first is of the window, the second of what scrolls in it.
      { rootMargin: MARGIN, scrollMargin: MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
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
