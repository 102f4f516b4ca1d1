import { Module } from '@nestjs/common';
import { RedisStreamsSink } from './redis-streams.sink.js';

@Module({ providers: [RedisStreamsSink] })
export class RedisStreamsModule {}
