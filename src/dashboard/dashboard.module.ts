import { Module } from '@nestjs/common';
import { basePathOf } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { DashboardController } from './dashboard.controller.js';
import { Dashboard } from './dashboard.js';

@Module({
  controllers: [DashboardController],
  providers: [{ provide: Dashboard, inject: [SETTINGS], useFactory: dashboardAt }],
})
export class DashboardModule {}

function dashboardAt({ BASE_URL, DASHBOARD_URL }: Settings): Dashboard {
  const servicePath = basePathOf(BASE_URL);
  const dashboardPath = DASHBOARD_URL === undefined ? `${servicePath}/dashboard` : basePathOf(DASHBOARD_URL);
  return new Dashboard(undefined, { dashboardPath, servicePath });
}
