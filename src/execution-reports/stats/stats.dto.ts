import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsUUID } from 'class-validator';
import { WINDOW_HOURS, type Window } from './stats.service.js';

const WINDOWS = Object.keys(WINDOW_HOURS) as readonly Window[];

export class StatsQuery {
  /** Length of the window before now, in whole hours. */
  @ApiPropertyOptional({ enum: WINDOWS, default: '24h' })
  @IsOptional()
  @IsIn(WINDOWS)
  window: Window = '24h';

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  project_id?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
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
