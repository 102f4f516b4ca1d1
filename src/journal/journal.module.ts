import { Global, Module } from '@nestjs/common';
import { EventBus } from './event-bus.js';
import { Journal } from './journal.js';
import { JournalRepository } from './journal.repository.js';

@Global()
@Module({
  providers: [EventBus, Journal, JournalRepository],
  exports: [EventBus, Journal, JournalRepository],
})
export class JournalModule {}
