export { bytes } from './bytes.ts';
export { count, number, percent } from './count.ts';
export { duration } from './duration.ts';
export { absoluteTime, relativeTime, timeOfDay } from './time.ts';
export { drawClocks, useNow } from './use-now.ts';
export { RUN_STATUSES, type RunStatus, TRIGGERS } from './runs.ts';
