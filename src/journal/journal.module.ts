import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { EventBus } from './event-bus.js';
import { Journal } from './journal.js';
import { JournalTail } from './journal-tail.js';
import { JournalRepository } from './journal.repository.js';
import { PayloadRepository } from './payload.repository.js';

@Module({
  imports: [StorageModule],
  providers: [EventBus, Journal, JournalRepository, JournalTail, PayloadRepository],
  exports: [EventBus, Journal, JournalRepository, JournalTail, PayloadRepository],
})
export class JournalModule {}
