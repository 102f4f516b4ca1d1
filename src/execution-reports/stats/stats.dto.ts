import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsUUID } from 'class-validator';
import { OptionalChoice, OptionalId } from '../../fields/index.js';
import { WINDOW_HOURS, type Window } from './stats.service.js';

const WINDOWS = Object.keys(WINDOW_HOURS) as readonly Window[];

export class StatsQuery {
  /** Length of the window before now, in whole hours. */
  @OptionalChoice({ enum: WINDOWS, default: '24h' })
  window: Window = '24h';

  @OptionalId()
  project_id?: string;

  @OptionalId()
  workflow_id?: string;
}

export class LatestRunsQuery {
  /** Id of a workflow. Repeat the parameter for up to 100 workflows. */
  @ApiProperty({ type: [String], format: 'uuid', maxItems: 100 })
  @IsUUID(undefined, { each: true })
  @ArrayMaxSize(100)
  @IsArray()
  workflow_id: string[];
}
