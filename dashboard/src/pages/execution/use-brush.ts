import { type PointerEvent, type RefObject, useCallback, useEffect, useState } from 'react';

/**
 * Minimum distance in pixels before a pointer movement counts as a drag. The pointer may move a little during a click.
 */
const LEAST_PX = 5;

/** The selected part of the axis, as fractions of the axis width from 0 to 1. */
export interface Brushed {
  readonly from: number;
  readonly to: number;
}

interface Brush {
  readonly brushed: Brushed | null;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerCancel: () => void;
  };
}

/**
 * Selects a part of a time axis by dragging; Esc cancels the selection. A touch selects only on the axis itself,
 * because a touch elsewhere scrolls the page.
 */
export function useBrush(axis: RefObject<HTMLElement | null>, onBrush: (brushed: Brushed) => void): Brush {
  const [begun, setBegun] = useState<{ readonly x: number; readonly share: number } | null>(null);
  const [brushed, setBrushed] = useState<Brushed | null>(null);
  const stop = useCallback((): void => {
    setBegun(null);
    setBrushed(null);
  }, []);
  useEffect(() => {
    if (brushed === null) return;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') stop();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [brushed, stop]);
  const shareOf = (clientX: number): number => {
    const { left = 0, width = 1 } = axis.current?.getBoundingClientRect() ?? {};
    return Math.min(Math.max((clientX - left) / Math.max(width, 1), 0), 1);
  };
  return {
    brushed,
    handlers: {
      onPointerDown: ({ button, clientX, target, pointerType }) => {
        const { left = 0, right = 0 } = axis.current?.getBoundingClientRect() ?? {};
        if (button !== 0 || clientX < left || clientX > right || !(target instanceof Node)) return;
        if (pointerType === 'touch' && axis.current?.contains(target) !== true) return;
        setBegun({ x: clientX, share: shareOf(clientX) });
      },
      onPointerMove: ({ clientX, currentTarget, pointerId }) => {
        if (begun === null || (brushed === null && Math.abs(clientX - begun.x) < LEAST_PX)) return;
        // Without pointer capture, the end of a drag would click the element under the pointer.
        if (brushed === null) currentTarget.setPointerCapture(pointerId);
        const share = shareOf(clientX);
        setBrushed({ from: Math.min(begun.share, share), to: Math.max(begun.share, share) });
      },
      onPointerUp: () => {
        if (brushed !== null && brushed.to > brushed.from) onBrush(brushed);
        stop();
      },
      onPointerCancel: stop,
    },
  };
}
