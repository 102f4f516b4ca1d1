import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers } from '../../http/index.js';
import { ValidationError } from '../../errors/index.js';
import { listFilter } from '../execution-query.js';
import { BulkBody, BulkView } from './bulk.dto.js';
import { type BulkRequest, BulkService } from './bulk.service.js';

@ApiTags('executions')
@Controller('v1/executions')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

  /**
   * Cancels up to 1,000 matching executions, or retries them from their failed nodes. Repeat the request while
   * `has_more` is true.
   */
  @Post('bulk')
  @HttpCode(200)
  @RequireScope('executions:write')
  @ApiOperation({ summary: 'Cancel or retry many executions' })
  @ApiAnswers({ 200: { description: 'What became of them.', type: BulkView } })
  async run(@CurrentPrincipal() principal: Principal, @Body() body: BulkBody): Promise<BulkView> {
    return this.bulk.run(principal, bulkRequest(body));
  }
}

function bulkRequest({ action, filter, reason, version }: BulkBody): BulkRequest {
  const { ids, metadata, ...rest } = filter;
  const given = {
    ...listFilter(
      { ...rest, ...(Object.keys(metadata ?? {}).length === 0 ? {} : { metadata: texts(metadata ?? {}) }) },
      {},
      'filter.',
    ),
    ...(ids === undefined ? {} : { ids: ids.map((id) => id.toLowerCase()) }),
  };
  if (Object.keys(given).length === 0)
    throw ValidationError.of(
      'filter',
      'empty',
      'must say which executions; an empty one would mean all of them',
    );
  return { action, filter: given, reason: reason ?? null, version: version ?? 'same' };
}

function texts(metadata: Readonly<Record<string, unknown>>): Map<string, string> {
  for (const [key, value] of Object.entries(metadata))
    if (typeof value !== 'string')
      throw ValidationError.of(`filter.metadata.${key}`, 'is_string', 'must be a string');
  return new Map(Object.entries(metadata as Readonly<Record<string, string>>));
}
