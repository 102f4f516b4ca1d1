import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiPage } from '../http/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import { ValidationError } from '../errors/index.js';
import { defined, instantOf, isoTime } from '../platform/index.js';
import { AuditExport } from './audit-export.js';
import { AuditLog } from './audit-log.service.js';
import { AuditEntryView, ExportAuditQuery, ListAuditQuery, namedEntryView } from './audit.dto.js';
import type { AuditFilter } from './audit.repository.js';

@ApiTags('audit log')
@Controller('v1/audit-log')
export class AuditController {
  constructor(
    private readonly log: AuditLog,
    private readonly exports: AuditExport,
  ) {}

  /**
   * Streams the audit log as NDJSON, oldest entry first. In every entry, `sequence`, `previous_hash` and `hash` give
   * the position in the hash chain of the team. The three fields are null until the entry is sealed, about a second
   * after the action.
   */
  @Get('export')
  @RequireScope('audit:read')
  @ApiOperation({ summary: 'Export the audit log', operationId: 'exportAudit' })
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({
    description: 'The entries of the audit log, one JSON object per line.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  async export(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ExportAuditQuery,
    @Res() response: Response,
  ): Promise<void> {
    const filter = filterOf(principal, query);
    response.set({
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit-log.ndjson"',
      'Cache-Control': 'no-store',
    });
    await this.exports.write(filter, response);
  }

  /**
   * Lists the audit entries of your team, newest first: actions and refused requests. A key that is bound to a project
   * sees only entries of that project.
   */
  @Get()
  @RequireScope('audit:read')
  @ApiOperation({ summary: 'Read the audit log' })
  @ApiPage(AuditEntryView, 'Entries.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListAuditQuery,
  ): Promise<Page<AuditEntryView>> {
    const { items, total } = await this.log.list(filterOf(principal, query), query.q, idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ entry }) => [entry.id], toItem: namedEntryView });
  }
}

function filterOf({ teamId, projectId }: Principal, query: ExportAuditQuery): AuditFilter {
  return defined({
    teamId,
    projectId,
    action: query.action,
    actorId: query.actor?.toLowerCase(),
    targetId: query.target?.toLowerCase(),
    createdAfter: instant('created_after', query.created_after),
    createdBefore: instant('created_before', query.created_before),
  });
}

function instant(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = instantOf(text);
  if (at === undefined)
    throw ValidationError.of(
      field,
      'is_instant',
      'must be a date-time with a time zone, such as 2026-11-21T10:00:00Z',
    );
  return isoTime(at);
}
