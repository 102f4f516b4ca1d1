interface SparklineProps {
  readonly values: readonly number[];
  /** What it shows, in a sentence with its figures: the picture itself is not read out. */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
}

/** A line of figures over time, without axes; null where there is nothing to draw. */
export function Sparkline({ values, label, width = 120, height = 28 }: SparklineProps) {
  const most = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : width;
  const points = values.map(
    (value, index) => [index * step, height - 1 - (value / most) * (height - 2)] as const,
  );
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="text-accent"
    >
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="currentColor" opacity="0.12" />
      <polyline points={line} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
