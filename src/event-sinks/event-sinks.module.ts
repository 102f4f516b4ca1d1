import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventSinks } from './event-sinks.js';
import { HttpSink } from './http-sink.js';

/** Where webhooks send events to: HTTP, and the targets of plug-ins. */
@Module({ imports: [DiscoveryModule], providers: [EventSinks, HttpSink], exports: [EventSinks] })
export class EventSinksModule {}
