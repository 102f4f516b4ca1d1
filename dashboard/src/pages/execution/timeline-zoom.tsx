import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { memo } from 'react';
import { IconButton } from '../../ui/index.ts';

/** What the shown stretch of time is multiplied by. */
export const ZOOM_STEPS = { in: 0.5, out: 2 } as const;

interface TimelineZoomProps {
  readonly isZoomed: boolean;
  readonly canZoom: boolean;
  /** Null shows all of the time. */
  readonly onZoom: (factor: number | null) => void;
}

/** Not drawn again as time goes by. */
export const TimelineZoom = memo(function TimelineZoom({ isZoomed, canZoom, onZoom }: TimelineZoomProps) {
  return (
    <div className="-mr-1 flex justify-end">
      {isZoomed && (
        <IconButton
          label="Show all of the time"
          className="!size-6"
          icon={<Maximize2 size={13} aria-hidden />}
          onClick={() => onZoom(null)}
        />
      )}
      <IconButton
        label="Zoom out"
        className="!size-6"
        disabled={!isZoomed}
        icon={<ZoomOut size={13} aria-hidden />}
        onClick={() => onZoom(ZOOM_STEPS.out)}
      />
      <IconButton
        label="Zoom in"
        className="!size-6"
        disabled={!canZoom}
        icon={<ZoomIn size={13} aria-hidden />}
        onClick={() => onZoom(ZOOM_STEPS.in)}
      />
    </div>
  );
});
