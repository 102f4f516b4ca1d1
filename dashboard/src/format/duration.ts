import { texts } from '../texts/en/format.ts';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration in milliseconds: `212 ms`, `4.8 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < SECOND) return texts.milliseconds(Math.max(0, Math.round(ms)));
  if (ms < MINUTE) return texts.seconds((Math.floor(ms / 100) / 10).toFixed(1));
  if (ms < HOUR) return pair(ms, [MINUTE, texts.minuteUnit], [SECOND, texts.secondUnit]);
  if (ms < DAY) return pair(ms, [HOUR, texts.hourUnit], [MINUTE, texts.minuteUnit]);
  return pair(ms, [DAY, texts.dayUnit], [HOUR, texts.hourUnit]);
}

type Unit = readonly [ms: number, name: string];

function pair(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const whole = Math.floor(ms / large);
  const rest = Math.floor((ms % large) / small);
  return rest === 0 ? `${whole} ${largeName}` : `${whole} ${largeName} ${rest} ${smallName}`;
}
