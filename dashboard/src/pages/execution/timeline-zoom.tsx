import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { memo } from 'react';
import { texts } from '../../texts/en/execution.ts';
import { IconButton } from '../../ui/index.ts';

/** Factors by which a zoom step changes the width of the visible time window. */
export const ZOOM_STEPS = { in: 0.5, out: 2 } as const;

interface TimelineZoomProps {
  readonly isZoomed: boolean;
  readonly canZoom: boolean;
  /** Called with the factor for the width of the time window, or with null to show the whole execution. */
  readonly onZoom: (factor: number | null) => void;
}

/** Memoized, so that the zoom buttons do not render at each clock tick. */
export const TimelineZoom = memo(function TimelineZoom({ isZoomed, canZoom, onZoom }: TimelineZoomProps) {
  return (
    <div className="-mr-1 flex justify-end">
      {isZoomed && (
        <IconButton
          label={texts.showAllTime}
          className="!size-6"
          icon={<Maximize2 size={13} aria-hidden />}
          onClick={() => onZoom(null)}
        />
      )}
      <IconButton
        label={texts.zoomOut}
        className="!size-6"
        disabled={!isZoomed}
        icon={<ZoomOut size={13} aria-hidden />}
        onClick={() => onZoom(ZOOM_STEPS.out)}
      />
      <IconButton
        label={texts.zoomIn}
        className="!size-6"
        disabled={!canZoom}
        icon={<ZoomIn size={13} aria-hidden />}
        onClick={() => onZoom(ZOOM_STEPS.in)}
      />
    </div>
  );
});
