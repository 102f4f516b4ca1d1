import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type EventSink, EventSinkMetadata } from './event-sink.js';

/** Finds the event sink for a URL by its scheme: the HTTP sink, or a sink of a plug-in. */
@Injectable()
export class EventSinks implements OnModuleInit {
  private readonly byScheme = new Map<string, EventSink>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const provider of this.discovery.getProviders({ metadataKey: EventSinkMetadata.KEY })) {
      const description = this.discovery.getMetadataByDecorator(EventSinkMetadata, provider);
      for (const scheme of description?.schemes ?? []) {
        if (this.byScheme.has(scheme))
          throw new Error(`Two event sinks declare the URL scheme ${scheme}. Install only one of them.`);
        this.byScheme.set(scheme, provider.instance as EventSink);
      }
    }
  }

  get schemes(): readonly string[] {
    return [...this.byScheme.keys()].toSorted();
  }

  of(url: URL): EventSink | undefined {
    return this.byScheme.get(url.protocol.slice(0, -1));
  }
}
