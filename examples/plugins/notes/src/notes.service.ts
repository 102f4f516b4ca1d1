import { Inject, Injectable } from '@nestjs/common';
import {
  CLOCK,
  type Clock,
  type IdPlace,
  isoTime,
  newId,
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
   * Makes a note for a caller.
   * @param projectId the project; undefined for the caller's first
   * @throws NotFoundError, PermissionError where the caller cannot reach the project
   */
  async create(principal: Principal, projectId: string | undefined, text: string): Promise<NoteEntity> {
    const project = await this.projects.resolve(principal, projectId);
    return this.add(project.id, text, newId());
  }

  /** Makes a note; a second one of the same source changes nothing. */
  async add(projectId: string, text: string, source: string): Promise<NoteEntity> {
    const note = { id: newId(), projectId, text, source, createdAt: isoTime(this.clock.now()) };
    await this.writer.commit({ writes: [this.notes.insertOnce(note)] });
    return note;
  }

  /** @throws NotFoundError, PermissionError where the caller cannot reach the project */
  async list(
    principal: Principal,
    projectId: string | undefined,
    place: IdPlace,
  ): Promise<{ readonly items: readonly NoteEntity[]; readonly total: number }> {
    const project = await this.projects.resolve(principal, projectId);
    return this.notes.list(project.id, place);
  }

  /** How many notes the first project of a caller has. */
  async count(principal: Principal): Promise<number> {
    const project = await this.projects.resolve(principal, undefined);
    return this.notes.count(project.id);
  }
}
