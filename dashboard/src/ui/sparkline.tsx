interface SparklineProps {
  /** Values of the line from left to right. A null value leaves a gap in the line. */
  readonly values: readonly (number | null)[];
  /** Description of the chart for screen readers. */
  readonly label: string;
  /** Value at the top edge of the chart; by default, the largest value, but at least 1. */
  readonly most?: number;
}

const WIDTH = 120;
const HEIGHT = 28;
const STROKE = 1.5;

/** A line chart without axes. */
export function Sparkline({ values, label, most }: SparklineProps) {
  const top = most ?? Math.max(...values.map((value) => value ?? 0), 1);
  const step = (WIDTH - 2 * STROKE) / Math.max(values.length - 1, 1);
  const pointOf = (value: number, index: number): Point => [
    STROKE + index * step,
    HEIGHT - STROKE - (value / top) * (HEIGHT - 2 * STROKE),
  ];
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="text-accent"
    >
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-border" />
      {linesOf(values, pointOf).map((points) => (
        <Line key={points[0]?.[0]} points={points} />
      ))}
    </svg>
  );
}

type Point = readonly [x: number, y: number];

function Line({ points }: { readonly points: readonly Point[] }) {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  if (points.length === 1) return <circle cx={first[0]} cy={first[1]} r={2.5} fill="currentColor" />;
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <>
      <polygon
        points={`${first[0]},${HEIGHT} ${line} ${last[0]},${HEIGHT}`}
        fill="currentColor"
        opacity="0.12"
      />
      <polyline
        points={line}
        fill="none"
        stroke="currentColor"
        strokeWidth={STROKE}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </>
  );
}

function linesOf(
  values: readonly (number | null)[],
  pointOf: (value: number, index: number) => Point,
): readonly (readonly Point[])[] {
  const lines: Point[][] = [];
  let isOpen = false;
  values.forEach((value, index) => {
    if (value !== null && !isOpen) lines.push([]);
    if (value !== null) lines.at(-1)?.push(pointOf(value, index));
    isOpen = value !== null;
  });
  return lines;
}
