import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import {
  ApiAnswers,
  ApiPage,
  ETAG_HEADER,
  etagOf,
  IdParam,
  IfMatch,
  LOCATION_HEADER,
  matched,
  TakesIfMatch,
} from '../http/index.js';
import { Idempotent } from '../idempotency/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import { defined } from '../platform/index.js';
import { ChangeSecretBody, CreateSecretBody, DeleteSecretQuery, ListSecretsQuery } from './secret.dto.js';
import type { Secret } from './secret.js';
import { secretView, SecretView } from './secret.view.js';
import { SecretsService } from './secrets.service.js';

@ApiTags('secrets')
@Controller('v1/secrets')
export class SecretsController {
  constructor(private readonly secrets: SecretsService) {}

  /** Creates a secret, whose value is stored encrypted. Workflows use the value as `{{ secrets.NAME }}`. */
  @Post()
  @RequireScope('secrets:write')
  @Idempotent<SecretsController>({
    render: async (controller, { principal, response, resource }) =>
      controller.created(await controller.secrets.read(principal, resource.id), response),
  })
  @ApiOperation({ summary: 'Create a secret' })
  @ApiAnswers(
    {
      201: {
        description: 'The secret, without its value.',
        type: SecretView,
        headers: { ...LOCATION_HEADER, ...ETAG_HEADER },
      },
    },
    409,
    503,
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { project_id, name, value, description }: CreateSecretBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SecretView> {
    const given = defined({ name, value, description });
    return this.created(await this.secrets.create(principal, project_id?.toLowerCase(), given), response);
  }

  @Get()
  @RequireScope('secrets:read')
  @ApiOperation({ summary: 'List secrets' })
  @ApiPage(SecretView, 'Secrets, without their values.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListSecretsQuery,
  ): Promise<Page<SecretView>> {
    const { project_id: projectId, name, q } = query;
    const filter = defined({ projectId: projectId?.toLowerCase(), name, q });
    const { items, total } = await this.secrets.list(principal, filter, idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: secretView });
  }

  @Get(':id')
  @RequireScope('secrets:read')
  @ApiOperation({ summary: 'Read a secret' })
  @ApiAnswers({
    200: { description: 'The secret, without its value.', type: SecretView, headers: ETAG_HEADER },
  })
  async read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SecretView> {
    return tagged(await this.secrets.read(principal, id), response);
  }

  /**
   * Changes the value or the description of a secret. A new value increments `version`. Node attempts that start later
   * use the new value.
   */
  @Patch(':id')
  @RequireScope('secrets:write')
  @ApiOperation({ summary: 'Change a secret' })
  @TakesIfMatch()
  @ApiAnswers(
    { 200: { description: 'The changed secret.', type: SecretView, headers: ETAG_HEADER } },
    409,
    503,
  )
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: ChangeSecretBody,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ): Promise<SecretView> {
    return tagged(
      await this.secrets.change(principal, await this.current(principal, id, ifMatch), body),
      response,
    );
  }

  /**
   * Deletes a secret. The request fails while an active workflow, hook or webhook uses the secret, unless `force=true`.
   */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('secrets:write')
  @ApiOperation({ summary: 'Delete a secret' })
  @TakesIfMatch()
  @ApiAnswers({ 204: { description: 'The secret is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() { force }: DeleteSecretQuery,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    await this.secrets.delete(principal, await this.current(principal, id, ifMatch), force === 'true');
  }

  private created(secret: Secret, response: Response): SecretView {
    response.set('Location', `/v1/secrets/${secret.id}`);
    return tagged(secret, response);
  }

  private async current(principal: Principal, id: string, ifMatch: string | undefined): Promise<Secret> {
    return matched(await this.secrets.read(principal, id), ifMatch);
  }
}

function tagged(secret: Secret, response: Response): SecretView {
  response.set('ETag', etagOf(secret.revision));
  return secretView(secret);
}
