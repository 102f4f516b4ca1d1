import { Inject, Injectable } from '@nestjs/common';
import {
  CLOCK,
  type Clock,
  type IdPlace,
  isoTime,
  newId,
  type PageRows,
  type Principal,
  ProjectsService,
  Writer,
} from 'workflow-service/module';
import type { NoteEntity } from './note.entity.js';
import { NotesRepository } from './notes.repository.js';

@Injectable()
export class NotesService {
  constructor(
    private readonly notes: NotesRepository,
    private readonly projects: ProjectsService,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates a note for a caller.
   * @param projectId the project, or undefined for the caller's first project
   * @throws NotFoundError, PermissionError if the caller has no access to the project
   */
  async create(principal: Principal, projectId: string | undefined, text: string): Promise<NoteEntity> {
    const project = await this.projects.resolve(principal, projectId);
    return this.add(project.id, text, newId());
  }

  /** Creates a note. Does nothing if a note with the same source exists. */
  async add(projectId: string, text: string, source: string): Promise<NoteEntity> {
    const note = { id: newId(), projectId, text, source, createdAt: isoTime(this.clock.now()) };
    await this.writer.commit({ writes: [this.notes.insertOnce(note)] });
    return note;
  }

  /** @throws NotFoundError, PermissionError if the caller has no access to the project */
  async list(
    principal: Principal,
    projectId: string | undefined,
    place: IdPlace,
  ): Promise<PageRows<NoteEntity>> {
    const project = await this.projects.resolve(principal, projectId);
    return this.notes.list(project.id, place);
  }

  /** Number of notes in the first project of a caller. */
  async count(principal: Principal): Promise<number> {
    const project = await this.projects.resolve(principal, undefined);
    return this.notes.count(project.id);
  }
}
