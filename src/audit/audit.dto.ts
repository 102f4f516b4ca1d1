import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsOptional, Matches, MaxLength } from 'class-validator';
import { OptionalId, OptionalText } from '../fields/index.js';
import { PageQuery } from '../pages/index.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';
import type { NamedEntry } from './audit-log.service.js';
import type { AuditSeal } from './audit-chain.js';
import type { AuditDocument } from './audit-entry.js';

const ID_EXAMPLE = '0199a8c0-4444-7abc-8def-0123456789ab';

export class ListAuditQuery extends PageQuery {
  @ApiPropertyOptional({ type: 'string', example: 'key.created' })
  @IsOptional()
  @MaxLength(64)
  @Matches(/^[a-z_]+\.[a-z_]+$/, {
    message: 'action must be a resource and a verb, such as key.created',
  })
  action?: string;

  /** Only entries whose actor is the user or the key with this id. */
  @OptionalId()
  actor?: string;

  /**
   * Only entries that affect the resource with this id. For refused requests, this is the resource that the request
   * named.
   */
  @OptionalId()
  target?: string;

  /**
   * Only entries whose actor or affected resource has a name that contains this text, ignoring case. A complete id of
   * the actor or the resource also matches.
   */
  @OptionalText({ minLength: 1, maxLength: 255 })
  q?: string;

  @OptionalText({ format: 'date-time' })
  created_after?: string;

  @OptionalText({ format: 'date-time' })
  created_before?: string;
}

/** Filters of the audit export. The export returns all matching entries without pages. */
export class ExportAuditQuery extends OmitType(ListAuditQuery, [
  'limit',
  'offset',
  'cursor',
  'order',
  'q',
] as const) {}

class ActorView {
  /**
   * Id of the user who acted; null for commands on the machine of the service, and for unknown callers whose request
   * was refused.
   */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  user_id: string | null;

  /** Id of the API key that was used; null for actions in the dashboard and for commands. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  key_id: string | null;

  /** Name of the API key, or of the user if no key was used; null if the name is unknown. */
  @ApiProperty({ type: 'string', nullable: true, example: 'Ada Lovelace' })
  name: string | null;
}

class TargetView {
  @ApiProperty({ type: 'string', example: 'key' })
  type: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  /** Name of the resource, even if the resource was deleted; null if it has no name. */
  @ApiProperty({ type: 'string', nullable: true, example: 'CI' })
  name: string | null;
}

/** An audit entry as the API returns it. */
export class AuditEntryView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  team_id: string;

  /** Id of the affected project; null for an action on the team as a whole. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  project_id: string | null;

  @ApiProperty({ type: () => ActorView })
  actor: ActorView;

  /** IP address from which the request was sent. */
  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;

  @ApiProperty({ type: 'string', nullable: true, example: '6f1c2f0e-3a54-4c8e-9d0b-2a7c5f4e1b90' })
  request_id: string | null;

  @ApiProperty({ type: 'string', example: 'key.created' })
  action: string;

  @ApiProperty({ type: () => TargetView })
  target: TargetView;

  /** State of the resource before the action; null for a new resource. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  before: AuditDocument | null;

  /**
   * State of the resource after the action; null for a deleted resource. Never contains secrets. A refusal
   * (`request.refused`, `key.refused`, `sign_in.refused`, `token.refused`, `invitation.refused`, `set_up_link.refused`)
   * has `code`, `method`, `path` and `count`, and `since` if the entry counts several refusals. `refusals.summarized`
   * has `count`, `codes` and `since`.
   */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { name: 'CI' } })
  after: AuditDocument | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}

export function namedEntryView({ entry, actorName, targetName }: NamedEntry): AuditEntryView {
  const { actor, target, ...view } = entryView(entry);
  return { ...view, actor: { ...actor, name: actorName }, target: { ...target, name: targetName } };
}

function entryView(entry: AuditEntryEntity) {
  return {
    id: entry.id,
    team_id: entry.teamId,
    project_id: entry.projectId,
    actor: { user_id: entry.userId, key_id: entry.keyId },
    address: entry.address,
    request_id: entry.requestId,
    action: entry.action,
    target: { type: entry.targetType, id: entry.targetId },
    before: entry.before,
    after: entry.after,
    created_at: entry.createdAt,
  };
}

/**
 * Returns an audit entry as the export contains it. The fields of the hash chain are null until the entry is sealed.
 */
export function exportedEntryView(entry: AuditEntryEntity, seal: AuditSeal | undefined): object {
  return Object.assign(entryView(entry), {
    sequence: seal?.sequence ?? null,
    previous_hash: seal?.previousHash ?? null,
    hash: seal?.hash ?? null,
  });
}
