import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventSinks } from './event-sinks.js';
import { HttpSink } from './http-sink.js';

@Module({ imports: [DiscoveryModule], providers: [EventSinks, HttpSink], exports: [EventSinks] })
export class EventSinksModule {}
