import { AccessModule } from '../access/index.js';
import { JournalModule } from '../journal/index.js';
import { type DynamicModule, Module, type ModuleMetadata, type Type } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { KeysModule } from '../keys/index.js';
import { ProjectsModule } from '../projects/index.js';
import { EventAccess } from './event-access.js';
import { EventAnswers } from './event-answers.js';
import { EventPages } from './event-pages.js';
import { EventStreams } from './event-streams.js';
import { EventSubjects } from './event-subjects.js';
import { EventsController } from './events.controller.js';
import { EventsGateway } from './events.gateway.js';
import { FeedHub } from './feed-hub.js';
import { Feeds } from './feeds.js';
import { OpenStreams } from './open-streams.js';
import { StreamFigures } from './stream-figures.js';
import { DEFAULT_SOCKET_LIMITS, SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';

export interface EventsModuleOptions extends Pick<ModuleMetadata, 'imports'> {
  /** Class that implements the port `EventSubjects`. `imports` lists the modules whose providers the class injects. */
  readonly subjects: Type<EventSubjects>;
  readonly limits?: Partial<SocketLimits>;
}

@Module({})
export class EventsModule {
  static forRoot({ imports = [], subjects, limits }: EventsModuleOptions): DynamicModule {
    return {
      module: EventsModule,
      imports: [AccessModule, AuthModule, JournalModule, KeysModule, ProjectsModule, ...imports],
      controllers: [EventsController],
      providers: [
        { provide: EventSubjects, useClass: subjects },
        { provide: SOCKET_LIMITS, useValue: { ...DEFAULT_SOCKET_LIMITS, ...limits } },
        EventAccess,
        EventAnswers,
        EventPages,
        EventsGateway,
        EventStreams,
        FeedHub,
        Feeds,
        OpenStreams,
        StreamFigures,
      ],
      exports: [StreamFigures],
    };
  }
}
