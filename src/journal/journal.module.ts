import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CheckpointEntity, JournalEntity, JournalFloorEntity, PayloadEntity } from './journal.entity.js';
import { CheckpointRepository } from './checkpoints/checkpoint.repository.js';
import { EventBus } from './event-bus.js';
import { Journal } from './journal.js';
import { JournalTail } from './journal-tail.js';
import { JournalRepository } from './journal.repository.js';
import { PayloadRepository } from './payload.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CheckpointEntity, JournalEntity, JournalFloorEntity, PayloadEntity]),
    StorageModule,
  ],
  providers: [CheckpointRepository, EventBus, Journal, JournalRepository, JournalTail, PayloadRepository],
  exports: [CheckpointRepository, EventBus, Journal, JournalRepository, JournalTail, PayloadRepository],
})
export class JournalModule {}
