import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule, JournalModule, ProjectsModule, StorageModule } from 'workflow-service/module';
import { FailureNotes } from './failure-notes.js';
import { NoteEntity } from './note.entity.js';
import { NotesController } from './notes.controller.js';
import { NoteReaderGuard, NoteReaders, NotesGateway } from './notes.gateway.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([NoteEntity]), AuthModule, JournalModule, ProjectsModule, StorageModule],
  controllers: [NotesController],
  providers: [FailureNotes, NoteReaderGuard, NoteReaders, NotesGateway, NotesRepository, NotesService],
  exports: [NotesService],
})
export class NotesModule {}
