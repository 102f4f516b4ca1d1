import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { Idempotent, type RepeatableRoute } from '../idempotency/index.js';
import { ApiAnswers, ApiPage, IdParam, LOCATION_HEADER } from '../http/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import { defined } from '../platform/index.js';
import { ChangeKeyBody, CreateKeyBody, ListKeysQuery, RotateKeyBody } from './api-key.dto.js';
import type { ApiKey } from './api-key.js';
import { ApiKeyOnWire, type ApiKeyRecord, NewApiKeyOnWire } from './api-key.wire.js';
import { KeyAdministration, type KeyChange, type KeyListFilter } from './key-administration.service.js';
import { KeyViews } from './key-views.js';
import type { MadeKey } from './keys.service.js';

/**
 * Idempotency option of routes that return the secret of a new key. The response to a repeated request omits the
 * secret.
 */
const SHOWN_ONCE: RepeatableRoute<KeysController, ApiKeyRecord> = {
  render: (controller, { principal, response, resource }) =>
    controller.readCreated(principal, resource.id, response),
  withoutSecrets: (body) => ({ ...body, key: undefined }),
};

@ApiTags('keys')
@Controller('v1/keys')
export class KeysController {
  constructor(
    private readonly keys: KeyAdministration,
    private readonly views: KeyViews,
  ) {}

  /**
   * Creates an API key of your own. Only this response shows the secret. The scopes, project, addresses and expiry of
   * the new key never exceed the limits of the key that creates it.
   */
  @Post()
  @RequireScope('keys:write')
  @Idempotent(SHOWN_ONCE)
  @ApiOperation({ summary: 'Create an API key' })
  @ApiAnswers({ 201: { description: 'The key.', type: NewApiKeyOnWire, headers: LOCATION_HEADER } }, 409)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { name, plan, ...body }: CreateKeyBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewApiKeyOnWire> {
    const wanted = defined({ ...changeOf(body), name, plan });
    return this.reveal(principal, response, await this.keys.create(principal, wanted));
  }

  /**
   * Lists your own keys. Admins and owners see all keys of the team. If the key of the request is bound to a project,
   * the list contains only keys of that project.
   */
  @Get()
  @RequireScope('keys:read')
  @ApiOperation({ summary: 'List API keys' })
  @ApiPage(ApiKeyOnWire, 'Keys.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListKeysQuery,
  ): Promise<Page<ApiKeyOnWire>> {
    const { items, total } = await this.keys.list(principal, filterOf(query), idPlace(query));
    const toItem = (key: ApiKey): ApiKeyOnWire => this.views.of(key, principal);
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem });
  }

  @Get(':id')
  @RequireScope('keys:read')
  @ApiOperation({ summary: 'Read an API key' })
  @ApiAnswers({ 200: { description: 'The key, without its secret.', type: ApiKeyOnWire } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<ApiKeyOnWire> {
    return this.views.of(await this.keys.read(principal, id), principal);
  }

  /**
   * Changes a key. Only the owner of a key may extend its rights or expiry, up to the limits of the key that sends
   * the request.
   */
  @Patch(':id')
  @RequireScope('keys:write')
  @ApiOperation({ summary: 'Change an API key' })
  @ApiAnswers({ 200: { description: 'The changed key.', type: ApiKeyOnWire } }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { name, ...body }: ChangeKeyBody,
  ): Promise<ApiKeyOnWire> {
    const change = defined({ ...changeOf(body), name });
    return this.views.of(await this.keys.change(principal, id, change), principal);
  }

  /** Deletes a key. Within a second, the service refuses the key and closes all sockets that use it. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('keys:write')
  @ApiOperation({ summary: 'Delete an API key' })
  @ApiAnswers({ 204: { description: 'The key is deleted.' } })
  async delete(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<void> {
    await this.keys.delete(principal, id);
  }

  /**
   * Replaces one of your keys by a new key with the same rights. The old key remains valid during the overlap. The new
   * key has the same lifetime as the old key, counted from now.
   */
  @Post(':id/rotate')
  @RequireScope('keys:write')
  @Idempotent(SHOWN_ONCE)
  @ApiOperation({ summary: 'Rotate an API key' })
  @ApiAnswers({ 201: { description: 'The new key.', type: NewApiKeyOnWire, headers: LOCATION_HEADER } }, 409)
  async rotate(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { overlap_seconds }: RotateKeyBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewApiKeyOnWire> {
    return this.reveal(principal, response, await this.keys.rotate(principal, id, overlap_seconds ?? 0));
  }

  /** Returns a new key without its secret, as the response to a repeated request with the same idempotency key. */
  async readCreated(principal: Principal, id: string, response: Response): Promise<ApiKeyRecord> {
    return this.created(principal, response, await this.keys.read(principal, id));
  }

  private reveal(principal: Principal, response: Response, { key, secret }: MadeKey): NewApiKeyOnWire {
    return { ...this.created(principal, response, key), key: secret };
  }

  private created(principal: Principal, response: Response, key: ApiKey): ApiKeyRecord {
    response.set({ Location: `/v1/keys/${key.id}`, 'Cache-Control': 'no-store' });
    return this.views.of(key, principal);
  }
}

function changeOf({
  scopes,
  environment,
  project_id,
  allowed_ips,
  expires_at,
}: Omit<ChangeKeyBody, 'name'>): KeyChange {
  return defined({
    scopes,
    environment,
    projectId: project_id === null ? null : project_id?.toLowerCase(),
    allowedIps: allowed_ips,
    expiresAt: expires_at,
  });
}

function filterOf({ environment, project_id, user_id, q }: ListKeysQuery): KeyListFilter {
  return defined({
    environment,
    projectId: project_id?.toLowerCase(),
    userId: user_id?.toLowerCase(),
    q,
  });
}
