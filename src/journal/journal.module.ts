import { Global, Module } from '@nestjs/common';
import { EventBus } from './event-bus.js';
import { Journal } from './journal.js';
import { JournalTail } from './journal-tail.js';
import { JournalRepository } from './journal.repository.js';

@Global()
@Module({
  providers: [EventBus, Journal, JournalRepository, JournalTail],
  exports: [EventBus, Journal, JournalRepository, JournalTail],
})
export class JournalModule {}
