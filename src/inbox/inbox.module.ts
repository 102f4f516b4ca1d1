import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StorageModule } from '../storage/index.js';
import { Inbox } from './inbox.js';
import { MessageEntity } from './message.entity.js';
import { MessageRepository } from './message.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([MessageEntity]), StorageModule],
  providers: [Inbox, MessageRepository],
  exports: [Inbox, MessageRepository],
})
export class InboxModule {}
