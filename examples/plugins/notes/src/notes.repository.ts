import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows, statementOf, type Write } from 'workflow-service/module';
import { NoteEntity } from './note.entity.js';

/** Reads notes. Writes are returned as data, which the service passes to the writer. */
@Injectable()
export class NotesRepository {
  constructor(@InjectRepository(NoteEntity) private readonly notes: Repository<NoteEntity>) {}

  /** Returns a page of the notes of a project in the order of their ids, and their total. */
  list(projectId: string, place: IdPlace): Promise<PageRows<NoteEntity>> {
    const query = this.notes.createQueryBuilder('note').where('note.projectId = :projectId', { projectId });
    return pageById(query, place);
  }

  count(projectId: string): Promise<number> {
    return this.notes.countBy({ projectId });
  }

  /** Inserts a note, unless a note with this source exists. */
  insertOnce(note: NoteEntity): Write {
    return statementOf(this.notes.createQueryBuilder().insert().values(note).orIgnore());
  }
}
