import { ApiProperty } from '@nestjs/swagger';
import type { Project } from './project.js';

const ID_EXAMPLE = '0199a8c0-7777-7abc-8def-0123456789ab';

export class ProjectView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  team_id: string;

  @ApiProperty({ type: 'string', example: 'Billing' })
  name: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Invoices' })
  description: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

export function projectView(project: Project): ProjectView {
  return {
    id: project.id,
    team_id: project.teamId,
    name: project.name,
    description: project.description,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
  };
}
