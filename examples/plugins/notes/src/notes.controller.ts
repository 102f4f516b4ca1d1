import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Throttle } from '@nestjs/throttler';
import {
  ApiAnswers,
  ApiPage,
  CurrentPrincipal,
  idPlace,
  type Page,
  page,
  type Principal,
  RequireScope,
} from 'workflow-service/module';
import { CreateNoteBody, ListNotesQuery, NoteView, noteView } from './note.dto.js';
import { NotesService } from './notes.service.js';

@ApiTags('notes')
@Controller('v1/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Post()
  @RequireScope('workflows:write')
  @Throttle({ default: { limit: 60, ttl: 60_000 } })
  @ApiOperation({ summary: 'Create a note', operationId: 'createNote' })
  @ApiAnswers({ 201: { description: 'The note.', type: NoteView } })
  async create(@CurrentPrincipal() principal: Principal, @Body() body: CreateNoteBody): Promise<NoteView> {
    return noteView(await this.notes.create(principal, body.project_id, body.text));
  }

  @Get()
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'List notes', operationId: 'listNotes' })
  @ApiPage(NoteView, 'Notes.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListNotesQuery,
  ): Promise<Page<NoteView>> {
    const { items, total } = await this.notes.list(principal, query.project_id, idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: noteView });
  }
}
