import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalEntity, JournalFloorEntity, PayloadEntity } from './journal.entity.js';
import { EventBus } from './event-bus.js';
import { Journal } from './journal.js';
import { JournalTail } from './journal-tail.js';
import { JournalRepository } from './journal.repository.js';
import { PayloadRepository } from './payload.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([JournalEntity, JournalFloorEntity, PayloadEntity]), StorageModule],
  providers: [EventBus, Journal, JournalRepository, JournalTail, PayloadRepository],
  exports: [EventBus, Journal, JournalRepository, JournalTail, PayloadRepository],
})
export class JournalModule {}
