import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { EncryptionModule } from '../encryption/index.js';
import { EventSinksModule } from '../event-sinks/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { JournalModule } from '../journal/index.js';
import { ProjectsModule } from '../projects/index.js';
import { StorageModule } from '../storage/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookDeliveryEntity } from './delivery.entity.js';
import { DeliveryStore } from './delivery-store.js';
import { RetryEntity } from './retry.entity.js';
import { StoredEvents } from './stored-events.js';
import { WebhookEntity } from './webhook.entity.js';
import { WebhookRunner } from './webhook-runner.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookDeliveryEntity, RetryEntity, WebhookEntity]),
    AuditModule,
    EncryptionModule,
    EventSinksModule,
    IdempotencyModule,
    JournalModule,
    ProjectsModule,
    StorageModule,
    WorkflowsModule,
  ],
  controllers: [DeliveriesController, WebhooksController],
  providers: [
    DeliveriesRepository,
    DeliveriesService,
    DeliveryStore,
    StoredEvents,
    WebhookRunner,
    WebhooksRepository,
    WebhookSender,
    WebhooksService,
  ],
  exports: [WebhookRunner, WebhooksRepository, WebhooksService],
})
export class WebhooksModule {}
