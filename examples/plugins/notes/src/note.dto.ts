import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, IsUUID, MaxLength, MinLength } from 'class-validator';
import { PageQuery } from 'workflow-service/module';
import type { NoteEntity } from './note.entity.js';

/** Request body that creates a note. */
export class CreateNoteBody {
  @ApiProperty({ maxLength: 1_000 })
  @IsString()
  @MinLength(1)
  @MaxLength(1_000)
  text: string;

  @ApiPropertyOptional({
    description: 'Project of the note. Default: the first project that the key has access to.',
  })
  @IsOptional()
  @IsUUID()
  project_id?: string;
}

/** Query parameters of the list of notes. */
export class ListNotesQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Project of the note. Default: the first project that the key has access to.',
  })
  @IsOptional()
  @IsUUID()
  project_id?: string;
}

/** A note in responses. */
export class NoteView {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  project_id: string;

  @ApiProperty()
  text: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export function noteView({ id, projectId, text, createdAt }: NoteEntity): NoteView {
  return { id, project_id: projectId, text, created_at: createdAt };
}
