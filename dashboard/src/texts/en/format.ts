/** Texts of times, durations, and triggers. */
export const texts = {
  /** BCP 47 tag by which numbers, times, and plurals are formatted. */
  locale: 'en',
  milliseconds: (max: number) => `${max} ms`,
  seconds: (floor: string) => `${floor} s`,
  minuteUnit: 'min',
  secondUnit: 's',
  hourUnit: 'h',
  dayUnit: 'd',
  triggerApi: 'API',
  triggerCli: 'Command line',
  triggerRetry: 'Retry',
  triggerParent: 'Parent execution',
  triggerSchedule: 'Schedule',
  triggerHook: 'Hook',
  triggerWebhook: 'Webhook',
  now: 'now',
};
