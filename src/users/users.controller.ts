import { Body, Controller, Get, Patch, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AddressRanges,
  checkedAddressList,
  CurrentPrincipal,
  type Principal,
  RequireScope,
} from '../access/index.js';
import { ApiAnswers, IdParam } from '../http/index.js';
import { defined } from '../platform/index.js';
import { RecentCallers } from './recent-callers.js';
import { ChangeUserBody, ChangeUserQuery, PreviewRestrictionsQuery } from './user.dto.js';
import { ReplaceUserBody } from './user-replacement.dto.js';
import { ME, UserIdParam } from './user-id.pipe.js';
import { UserProfiles } from './user-profiles.service.js';
import {
  MeView,
  meView,
  recentCallerView,
  RestrictionsPreviewView,
  UserView,
  userView,
} from './user.view.js';
import { BeyondProjectError } from './users.errors.js';

@ApiTags('users')
@Controller('v1/users')
export class UsersController {
  constructor(
    private readonly profiles: UserProfiles,
    private readonly callers: RecentCallers,
  ) {}

  /** Returns your user, your teams, and the scopes of the API key that sends the request. */
  @Get(ME)
  @RequireScope('users:read')
  @ApiOperation({ summary: 'Read your own user', operationId: 'readMe' })
  @ApiAnswers({ 200: { description: 'Your user, your teams and the key of this request.', type: MeView } })
  async me(@CurrentPrincipal() principal: Principal): Promise<MeView> {
    const { user } = await this.profiles.read(principal, principal.userId);
    return meView(user, await this.profiles.teamsOf(principal), principal);
  }

  /** Shows which recent uses of your API keys a list of allowed IP addresses would refuse. The list is not stored. */
  @Get(`${ME}/restrictions/preview`)
  @RequireScope('users:write')
  @ApiOperation({ summary: 'Preview a list of allowed IP addresses', operationId: 'previewRestrictions' })
  @ApiAnswers({
    200: {
      description:
        'The recent uses of your keys: `allowed` contains the uses that the list would allow, `blocked` the others.',
      type: RestrictionsPreviewView,
    },
  })
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Query() { allowed_ips }: PreviewRestrictionsQuery,
  ): Promise<RestrictionsPreviewView> {
    if (principal.projectId !== null) throw new BeyondProjectError();
    const texts = allowed_ips.split(',').map((text) => text.trim());
    const list = checkedAddressList(allowed_ips === '' ? [] : texts, 'allowed_ips');
    const ranges = list === null ? null : AddressRanges.of(list);
    const isAllowed = (address: string): boolean => ranges === null || ranges.contains(address);
    const callers = (await this.callers.adapter.of(principal.userId)).map((caller) =>
      recentCallerView(caller, principal.teamId),
    );
    return {
      address: principal.address,
      would_lock_out_caller: !isAllowed(principal.address),
      blocked: callers.filter(({ address }) => !isAllowed(address)),
      allowed: callers.filter(({ address }) => isAllowed(address)),
    };
  }

  /** Reads a user of your team. */
  @Get(':id')
  @RequireScope('users:read')
  @ApiOperation({ summary: 'Read a user' })
  @ApiAnswers({ 200: { description: 'The user.', type: UserView } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<UserView> {
    const { user, isManaged } = await this.profiles.read(principal, id);
    return userView(user, isManaged);
  }

  /**
   * Changes your own user, or a user who is in your team only and whom you administer. Omitted fields keep their
   * values.
   */
  @Patch(':id')
  @RequireScope('users:write')
  @ApiOperation({ summary: 'Change a user' })
  @ApiAnswers({ 200: { description: 'The changed user.', type: UserView } }, 409)
  change(
    @CurrentPrincipal() principal: Principal,
    @UserIdParam() id: string,
    @Body() body: ChangeUserBody,
    @Query() query: ChangeUserQuery,
  ): Promise<UserView> {
    return this.changed(principal, id, body, query);
  }

  /** Updates a user like `PATCH`: omitted fields keep their values. Read-only fields are ignored. */
  @Put(':id')
  @RequireScope('users:write')
  @ApiOperation({ summary: 'Update a user' })
  @ApiBody({ type: ChangeUserBody })
  @ApiAnswers({ 200: { description: 'The changed user.', type: UserView } }, 409)
  update(
    @CurrentPrincipal() principal: Principal,
    @UserIdParam() id: string,
    @Body() body: ReplaceUserBody,
    @Query() query: ChangeUserQuery,
  ): Promise<UserView> {
    return this.changed(principal, id, body, query);
  }

  private async changed(
    principal: Principal,
    id: string,
    { name, api_key_restrictions: restrictions, preferences }: ChangeUserBody,
    { force }: ChangeUserQuery,
  ): Promise<UserView> {
    const user = await this.profiles.change(principal, id === ME ? principal.userId : id, {
      ...defined({
        name,
        preferences,
        allowedIps: restrictions === undefined ? undefined : (restrictions?.allowed_ips ?? null),
      }),
      force: force === 'true',
    });
    const isOwn = user.id === principal.userId;
    return { ...userView(user, true), ...(isOwn ? { preferences: user.preferences } : {}) };
  }
}
