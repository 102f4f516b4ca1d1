export type { PasswordLane } from './password-work.js';
export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.js';
export { type DeviceKey, PasswordsService } from './passwords.service.js';
export { type RecentCaller, RecentCallers, type RecentCallersAdapter } from './recent-callers.js';
export { type TeamOfUser, UserTeams, type UserTeamsAdapter } from './user-teams.js';
export { UserEntity } from './user.entity.js';
export { MAX_EMAIL_LENGTH, type NewUser, normalEmail, type User } from './user.js';
export {
  BeyondProjectError,
  EmailTakenError,
  InvalidUserError,
  UserNotFoundError,
  UserOutOfReachError,
} from './users.errors.js';
export { UsersModule } from './users.module.js';
export {
  type PreparedUser,
  requirePasswordLength,
  UsersService,
  type VerifiedUser,
} from './users.service.js';
