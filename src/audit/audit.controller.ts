import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiPage, idPlace, instantOf, isoTime, type Page, page, ValidationError } from '../platform/index.js';
import { AuditEntryView, auditEntryView, ListAuditQuery } from './audit.dto.js';
import { type AuditFilter, AuditRepository } from './audit.repository.js';

@ApiTags('audit log')
@Controller('v1/audit-log')
export class AuditController {
  constructor(private readonly entries: AuditRepository) {}

  /** Who did what in the team, newest first. A key that is bound to a project sees what belongs to it. */
  @Get()
  @RequireScope('audit:read')
  @ApiOperation({ summary: 'Read the audit log' })
  @ApiPage(AuditEntryView, 'Entries.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListAuditQuery,
  ): Promise<Page<AuditEntryView>> {
    const { items, total } = await this.entries.list(filterOf(principal, query), idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: auditEntryView });
  }
}

function filterOf({ teamId, projectId }: Principal, query: ListAuditQuery): AuditFilter {
  const { action, actor, target, created_after, created_before } = query;
  return {
    teamId,
    projectId,
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actorId: actor.toLowerCase() }),
    ...(target === undefined ? {} : { targetId: target.toLowerCase() }),
    ...(created_after === undefined ? {} : { createdAfter: instant('created_after', created_after) }),
    ...(created_before === undefined ? {} : { createdBefore: instant('created_before', created_before) }),
  };
}

function instant(field: string, text: string): string {
  const at = instantOf(text);
  if (at === undefined)
    throw ValidationError.of(
      field,
      'is_instant',
      'must be an instant with its zone, as 2026-11-21T10:00:00Z',
    );
  return isoTime(at);
}
