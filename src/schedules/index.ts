export { ScheduleRunner } from './schedule-runner.js';
export { SchedulesModule } from './schedules.module.js';
export { SchedulesService } from './schedules.service.js';
export type { ScheduleView } from './schedule.view.js';
