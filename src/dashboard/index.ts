export { Dashboard } from './dashboard.js';
export { DashboardModule } from './dashboard.module.js';
