import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags, PickType } from '@nestjs/swagger';
import { RequireScope } from '../access/index.js';
import { ApiPage } from '../http/index.js';
import { decodeCursor, page, type Page, PageQuery, requireOnePlace } from '../pages/index.js';
import { NodeTypeRegistry } from './node-type.registry.js';
import { nodeTypeView, NodeTypeView } from './node-type.view.js';

/** Query parameters of the list of node types, which is sorted by name. */
export class ListNodeTypesQuery extends PickType(PageQuery, ['limit', 'offset', 'cursor'] as const) {}

@ApiTags('node types')
@Controller('v1/node-types')
export class NodeTypesController {
  constructor(private readonly registry: NodeTypeRegistry) {}

  /** Lists all node types available to workflows, with the schemas of their parameters and outputs. */
  @Get()
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'List node types' })
  @ApiPage(NodeTypeView, 'Node types, sorted by name.')
  list(@Query() query: ListNodeTypesQuery): Page<NodeTypeView> {
    requireOnePlace(query);
    const after = query.cursor === undefined ? '' : String(decodeCursor(query.cursor, ['string'])[0]);
    const all = this.registry.list();
    const rows = all
      .filter(({ description }) => description.type > after)
      .slice(query.offset, query.offset + query.limit + 1);
    return page(query, {
      rows,
      total: all.length,
      cursorOf: ({ description }) => [description.type],
      toItem: nodeTypeView,
    });
  }
}
