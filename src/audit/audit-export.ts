import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { drained, firstIdAt } from '../platform/index.js';
import { exportedEntryView } from './audit.dto.js';
import { type AuditFilter, AuditRepository } from './audit.repository.js';
import { AuditSealsRepository } from './audit-seals.repository.js';

const PAGE = 500;

/** Streams the audit log as one JSON object per line, oldest entry first. */
@Injectable()
export class AuditExport {
  constructor(
    private readonly entries: AuditRepository,
    private readonly seals: AuditSealsRepository,
  ) {}

  /** Writes all entries that match the filter. Stops early if the reader disconnects. */
  async write(filter: AuditFilter, target: Writable): Promise<void> {
    let after = firstIdAt(0);
    while (!target.destroyed) {
      const entries = await this.entries.page(filter, after, PAGE);
      const seals = await this.seals.ofEntries(entries.map(({ id }) => id));
      const lines = entries.map(
        (entry) => `${JSON.stringify(exportedEntryView(entry, seals.get(entry.id)))}\n`,
      );
      if (!target.destroyed && lines.length > 0 && !target.write(lines.join(''))) await drained(target);
      const last = entries.at(-1);
      if (last === undefined || entries.length < PAGE) break;
      after = last.id;
    }
    if (!target.destroyed) target.end();
  }
}
