export { ScheduleRunner } from './schedule-runner.js';
export { SchedulesModule } from './schedules.module.js';
