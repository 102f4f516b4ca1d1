import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard.controller.js';
import { Dashboard } from './dashboard.js';

@Module({
  controllers: [DashboardController],
  providers: [{ provide: Dashboard, useFactory: () => new Dashboard() }],
})
export class DashboardModule {}
