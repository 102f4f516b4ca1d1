export const texts = {
  /** BCP 47 language tag that determines the format of numbers, times and plurals. */
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
