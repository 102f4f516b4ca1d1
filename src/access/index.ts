export { AccessEpochEntity } from './access-epoch.entity.js';
export { AccessEpoch, EpochCache } from './access-epoch.js';
export {
  Authenticated,
  type AuthenticatedRequest,
  changesAccess,
  CurrentPrincipal,
  isViewable,
  Public,
  RequireScope,
  routeAccess,
  type RouteAccess,
  Viewable,
} from './access.decorators.js';
export { MissingScopeError, ViewTokenScopeError } from './access.errors.js';
export { AccessModule } from './access.module.js';
export { checkedAddressList } from './address-list.js';
export { requestAddress } from './client-address.js';
export { AddressRanges, MAX_ADDRESS_RANGES } from './ip-match.js';
export { allows, type Principal, reachesProject, requireScope, type View } from './principal.js';
export { refusedCaller, type RefusedCaller, refusing } from './refused-caller.js';
export { SharedSecretRepository } from './shared-secret.repository.js';
export { requireView } from './view.js';
export { atLeast, type Role, ROLE_SCOPES, ROLES } from './role.js';
export { grants, isScopeGrant, type Scope, type ScopeGrant, SCOPES } from './scope.js';
