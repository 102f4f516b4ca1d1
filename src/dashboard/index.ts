export { DashboardModule } from './dashboard.module.js';
export { Dashboard } from './dashboard.js';
