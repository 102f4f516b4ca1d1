import { ExecutionStoreModule } from './execution-store/index.js';
import { NodeTypesModule } from './node-types/index.js';
import { ExecutionReportsModule } from './execution-reports/index.js';
import { NodeResultsModule } from './node-results/index.js';
import { RetentionModule } from './retention/index.js';
import { ExecutionRunnerModule } from './execution-runner/index.js';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessModule, Authenticated } from './access/index.js';
import { ApprovalsModule } from './approvals/index.js';
import { AsyncApiModule } from './asyncapi/index.js';
import { AuditModule } from './audit/index.js';
import { AuthModule, BearerGuard, RequestRefusals, ScopeGuard } from './auth/index.js';
import { DashboardModule } from './dashboard/index.js';
import { DocsModule } from './docs/index.js';
import { EventsModule } from './events/index.js';
import { ExecutionsModule } from './executions/index.js';
import { HealthModule } from './health/index.js';
import { JournalModule } from './journal/index.js';
import { KeysModule } from './keys/index.js';
import { type LoadedPlugin, NodesModule, pluginSchemas, PluginsModule } from './nodes/index.js';
import { ClockModule } from './platform/index.js';
import { LoggingModule } from './logging/index.js';
import { ConfigModule, type Settings } from './settings/index.js';
import { DatabaseModule } from './storage/index.js';
import { RedisModule } from './redis/index.js';
import { MetricsModule } from './metrics/index.js';
import { IdempotencyModule } from './idempotency/index.js';
import { HTTP_PROVIDERS, InputGuard, REFUSAL_LISTENER, UnknownPathModule } from './http/index.js';
import { QueueOfExecutions } from './queue-of-executions.js';
import { ProjectsModule } from './projects/index.js';
import { RateLimitGuard, RateLimitsModule } from './rate-limits/index.js';
import { MIGRATIONS } from '../migrations/index.js';
import { SubjectsOfEvents } from './event-subjects.js';
import { HooksModule } from './hooks/index.js';
import { SchedulesModule } from './schedules/index.js';
import { SearchModule } from './search/index.js';
import { SecretsModule } from './secrets/index.js';
import { SessionsModule } from './sessions/index.js';
import { SystemModule } from './system/index.js';
import { TeamsModule } from './teams/index.js';
import { hasTestClock, TestClockEntity, TestClockModule } from './test-clock/index.js';
import { TelemetryModule } from './telemetry/index.js';
import { TokenExchangeModule } from './token-exchange/index.js';
import { UsersModule } from './users/index.js';
import { successorOf } from './v0/index.js';
import { SavedViewsModule } from './saved-views/index.js';
import { VersionModule } from './version/index.js';
import { BulkJobsModule } from './bulk-jobs/index.js';
import { ComparisonsModule } from './comparisons/index.js';
import { AuthoringModule } from './authoring/index.js';
import { ViewTokensModule } from './view-tokens/index.js';
import { WebhooksModule } from './webhooks/index.js';
import { WorkflowsModule } from './workflows/index.js';

const EVENTS = EventsModule.forRoot({
  imports: [ExecutionStoreModule, SessionsModule, WorkflowsModule],
  subjects: SubjectsOfEvents,
});

/** Root module of the service. It imports all modules and registers the guards in the order in which they run. */
@Module({})
export class AppModule {
  /** @param plugins loaded plug-ins; their node types and modules are added to the built-in node types and modules */
  static forRoot(settings: Settings, plugins: readonly LoadedPlugin[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(settings),
        LoggingModule.forRoot(settings),
        ClockModule,
        DatabaseModule.forRoot({
          // The entity of the test clock is always registered, because its table exists even if the test clock is off.
          entities: [TestClockEntity],
          migrations: MIGRATIONS,
          plugins: pluginSchemas(plugins),
          isService: true,
        }),
        IdempotencyModule,
        AccessModule,
        AuditModule,
        RateLimitsModule,
        JournalModule,
        UsersModule,
        TeamsModule,
        ProjectsModule,
        KeysModule,
        AuthModule,
        TokenExchangeModule,
        NodesModule,
        NodeTypesModule,
        PluginsModule.forRoot(plugins),
        SessionsModule,
        WorkflowsModule,
        SearchModule,
        SecretsModule,
        ApprovalsModule,
        ExecutionsModule,
        SchedulesModule,
        HooksModule,
        WebhooksModule,
        ExecutionReportsModule,
        AuthoringModule,
        BulkJobsModule,
        ComparisonsModule,
        SavedViewsModule,
        ViewTokensModule,
        NodeResultsModule,
        RetentionModule,
        // Workers serve no API clients, so they do not load the event feeds.
        ...(settings.ROLE === 'worker' ? [] : [AsyncApiModule, EVENTS]),
        SystemModule,
        MetricsModule.forRoot({ imports: settings.ROLE === 'worker' ? [] : [EVENTS] }),
        ...(hasTestClock(settings) ? [TestClockModule] : []),
        TelemetryModule,
        VersionModule,
        HealthModule.forRoot({ imports: [ExecutionRunnerModule, RedisModule], queue: QueueOfExecutions }),
        DashboardModule,
        DocsModule,
        // `UnknownPathModule` must be the last import, because its route matches every path that no earlier controller
        // matches.
        UnknownPathModule.guardedBy(Authenticated(), successorOf),
      ],
      providers: [
        ...HTTP_PROVIDERS,
        { provide: REFUSAL_LISTENER, useExisting: RequestRefusals },
        { provide: APP_GUARD, useClass: BearerGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_GUARD, useClass: InputGuard },
      ],
    };
  }
}
