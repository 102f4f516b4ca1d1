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

  /** Returns who you are, your teams, and what this key may do. */
  @Get(ME)
  @RequireScope('users:read')
  @ApiOperation({ summary: 'Read yourself', operationId: 'readMe' })
  @ApiAnswers({ 200: { description: 'You.', type: MeView } })
  async me(@CurrentPrincipal() principal: Principal): Promise<MeView> {
    const { user } = await this.profiles.read(principal, principal.userId);
    return meView(user, await this.profiles.teamsOf(principal), principal);
  }

  /** Shows which recent uses of your keys an address list would refuse, before you set the list. */
  @Get(`${ME}/restrictions/preview`)
  @RequireScope('users:write')
  @ApiOperation({ summary: 'Preview an address list', operationId: 'previewRestrictions' })
  @ApiAnswers({ 200: { description: 'The effect of the list.', type: RestrictionsPreviewView } })
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

  /** Reads a person of your team. */
  @Get(':id')
  @RequireScope('users:read')
  @ApiOperation({ summary: 'Read a user' })
  @ApiAnswers({ 200: { description: 'The user.', type: UserView } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<UserView> {
    const { user, isManaged } = await this.profiles.read(principal, id);
    return userView(user, isManaged);
  }

  /**
   * Changes yourself, or a person whose only team you administer. Omitted fields keep their values.
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

  /** Like PATCH: omitted fields keep their values. Ignores fields that only the service sets. */
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
      ...(name === undefined ? {} : { name }),
      ...(preferences === undefined ? {} : { preferences }),
      ...(restrictions === undefined ? {} : { allowedIps: restrictions?.allowed_ips ?? null }),
      force: force === 'true',
    });
    const isOwn = user.id === principal.userId;
    return { ...userView(user, true), ...(isOwn ? { preferences: user.preferences } : {}) };
  }
}
