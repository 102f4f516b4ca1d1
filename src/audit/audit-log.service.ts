import { Injectable } from '@nestjs/common';
import { isId } from '../platform/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';
import { type AuditFilter, AuditRepository } from './audit.repository.js';
import { PeopleNames } from './people-names.js';

/** An audit entry with the names of its actor and its target. A name is null if it is unknown. */
export interface NamedEntry {
  readonly entry: AuditEntryEntity;
  readonly actorName: string | null;
  readonly targetName: string | null;
}

@Injectable()
export class AuditLog {
  constructor(
    private readonly entries: AuditRepository,
    private readonly people: PeopleNames,
  ) {}

  /**
   * @param text only entries whose actor or target has this id, or a name with this part
   */
  async list(filter: AuditFilter, text: string | undefined, place: IdPlace): Promise<PageRows<NamedEntry>> {
    const { items, total } = await this.entries.list(await this.withText(filter, text), place);
    const names = await this.namesOf(filter.teamId, items);
    return {
      items: items.map((entry) => ({
        entry,
        actorName: names.get(entry.keyId ?? entry.userId ?? '') ?? null,
        targetName: nameIn(entry) ?? names.get(entry.targetId) ?? null,
      })),
      total,
    };
  }

  /**
   * Returns the names of actors and targets by id. The name of a resource comes from its latest audit entry, because
   * the resource may be deleted.
   */
  private async namesOf(
    teamId: string,
    entries: readonly AuditEntryEntity[],
  ): Promise<ReadonlyMap<string, string>> {
    const ids = entries.flatMap((entry) => [
      entry.keyId ?? entry.userId,
      ...(nameIn(entry) === null ? [entry.targetId] : []),
    ]);
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    const people = await this.people.adapter.of(wanted);
    const others = await Promise.all(
      wanted
        .filter((id) => !people.has(id))
        .map(async (id) => [id, nameIn(await this.entries.latestNamed(teamId, id))] as const),
    );
    return new Map([
      ...people,
      ...others.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])),
    ]);
  }

  private async withText(filter: AuditFilter, text: string | undefined): Promise<AuditFilter> {
    const wanted = text?.trim() ?? '';
    if (wanted === '') return filter;
    if (isId(wanted.toLowerCase())) return { ...filter, subjectId: wanted.toLowerCase() };
    return { ...filter, text: { part: wanted, userIds: await this.people.adapter.search(wanted) } };
  }
}

/** Returns the name of the resource that an audit entry contains; null if the entry contains no name. */
function nameIn(entry: AuditEntryEntity | null): string | null {
  for (const document of [entry?.after, entry?.before])
    if (
      document !== null &&
      document !== undefined &&
      'name' in document &&
      typeof document.name === 'string'
    )
      return document.name;
  return null;
}
