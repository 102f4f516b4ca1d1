import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { basePathOf } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { DashboardController } from './dashboard.controller.js';
import { Dashboard } from './dashboard.js';
import { StartPageMiddleware } from './start-page.middleware.js';

@Module({
  controllers: [DashboardController],
  providers: [{ provide: Dashboard, inject: [SETTINGS], useFactory: dashboardAt }],
})
export class DashboardModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(StartPageMiddleware).forRoutes({ path: '/', method: RequestMethod.GET });
  }
}

function dashboardAt({ BASE_URL, DASHBOARD_URL, TRACE_URL_TEMPLATE: traceUrlTemplate }: Settings): Dashboard {
  const servicePath = basePathOf(BASE_URL);
  const dashboardPath = DASHBOARD_URL === undefined ? `${servicePath}/dashboard` : basePathOf(DASHBOARD_URL);
  return new Dashboard(undefined, { dashboardPath, servicePath, traceUrlTemplate });
}
