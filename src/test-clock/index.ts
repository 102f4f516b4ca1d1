export { TestClockEntity } from './test-clock.entity.js';
export { hasTestClock, TestClockModule } from './test-clock.module.js';
export type { MovedTestClockView, TestClockView } from './test-clock.dto.js';
