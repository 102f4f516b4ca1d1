import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { ListTexts } from '../pages/index.js';
import { DIALECT, type Dialect, marksOf, PreparedReads } from '../storage/index.js';

const MAX_CHARACTERS = 8_388_608;

/**
 * Names and descriptions of a project's secrets in lower case, and the version of the list from which they were read.
 * `texts` is null if the texts are too long for the cache.
 */
interface ProjectTexts {
  readonly version: number;
  readonly texts: ListTexts | null;
}

@Injectable()
export class SecretListsRepository {
  private readonly reader: PreparedReads;
  private readonly projects = new LRUCache<string, ProjectTexts>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ texts }) => 1 + (texts?.size ?? 0),
  });

  constructor(@InjectDataSource() dataSource: DataSource, @Inject(DIALECT) dialect: Dialect) {
    this.reader = new PreparedReads(dataSource, dialect);
  }

  async count(projectIds: readonly string[]): Promise<number> {
    const [row] = await this.reader.rows<{ readonly n: number | string }>(
      `SELECT coalesce(sum(secrets), 0) AS n FROM secret_lists WHERE project_id IN (${marksOf(projectIds)})`,
      projectIds,
    );
    return Number(row?.n ?? 0);
  }

  /**
   * Returns the ids of the secrets that match a search text, in ascending order. A secret matches by a part of its name
   * or description, or by the beginning of its id or of the id's last eight characters.
   *
   * @param wanted search text in lower case
   * @returns null if the names and descriptions are too long for the cache
   */
  async find(projectIds: readonly string[], wanted: string): Promise<readonly string[] | null> {
    const lists = await this.reader.rows<{ readonly id: string; readonly version: number | string }>(
      `SELECT project_id AS id, version FROM secret_lists WHERE project_id IN (${marksOf(projectIds)})`,
      projectIds,
    );
    const found: string[][] = [];
    for (const { id, version } of lists) {
      const texts = await this.textsOf(id, Number(version));
      if (texts === null) return null;
      found.push([...texts.find(wanted)]);
    }
    return found.length === 1 ? (found[0] ?? []) : found.flat().toSorted((a, b) => (a < b ? -1 : 1));
  }

  private async textsOf(projectId: string, version: number): Promise<ListTexts | null> {
    const known = this.projects.get(projectId);
    if (known?.version === version) return known.texts;
    const read = await this.read(projectId);
    const texts = read.texts !== null && read.texts.size < MAX_CHARACTERS ? read.texts : null;
    this.projects.set(projectId, { version: read.version, texts });
    return texts;
  }

  /**
   * Reads the names and descriptions of a project's secrets, with their version, in one statement and thus
   * from one snapshot. The database converts the texts to lower case, as it does for a search without the
   * cache.
   */
  private async read(projectId: string): Promise<ProjectTexts> {
    const rows = await this.reader.rows<{
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly version: number | string;
    }>(
      `SELECT s.id, lower(s.name) AS name, lower(s.description) AS description, l.version
       FROM secret_lists AS l JOIN secrets AS s ON s.project_id = l.project_id
       WHERE l.project_id = ? ORDER BY s.id`,
      [projectId],
    );
    const texts = rows.map(({ id, name, description }) => ({ id, texts: [name, description] }));
    return { version: Number(rows[0]?.version ?? 0), texts: new ListTexts(texts) };
  }
}
