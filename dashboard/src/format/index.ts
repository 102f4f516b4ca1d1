export { bytes } from './bytes.ts';
export { number, percent } from './count.ts';
export { duration } from './duration.ts';
export {
  absoluteTime,
  clocksAt,
  dateAndTime,
  dateFormat,
  displayedZone,
  hourAndMinute,
  instantOfLocal,
  localText,
  relativeTime,
  setTimeZone,
  startOfDay,
  timeOfDay,
} from './time.ts';
export { drawClocks, useNow } from './use-now.ts';
export { RUN_STATUSES, type RunStatus, TRIGGERS } from './runs.ts';
