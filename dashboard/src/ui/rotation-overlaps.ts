import { texts } from '../texts/en/ui.ts';

const HOUR = 3_600;

/** Choices for how long the previous key or URL remains valid after a rotation. */
export const ROTATION_OVERLAPS = [
  { seconds: 0, label: texts.immediately, when: texts.whenImmediately },
  { seconds: HOUR, label: texts.after1Hour, when: texts.whenAfter1Hour },
  { seconds: 24 * HOUR, label: texts.after24Hours, when: texts.whenAfter24Hours },
  { seconds: 7 * 24 * HOUR, label: texts.after7Days, when: texts.whenAfter7Days },
] as const;

/** Default time for which the previous key or URL remains valid after a rotation, in seconds. */
export const DEFAULT_OVERLAP: number = 24 * HOUR;

/**
 * Describes how long the previous key or URL remains valid, as part of a sentence, such as "after 1 hour".
 */
export function overlapInWords(seconds: number): string {
  return ROTATION_OVERLAPS.find((each) => each.seconds === seconds)?.when ?? texts.whenImmediately;
}
