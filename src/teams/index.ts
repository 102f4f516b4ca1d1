export { InvitationEntity } from './invitation.entity.js';
export { MAX_TEAM_NAME_LENGTH, type Membership, type Team } from './team.js';
export { TeamEntity } from './team.entity.js';
export { TeamMemberEntity } from './team-member.entity.js';
export { TeamsModule } from './teams.module.js';
export { type PreparedTeam, TeamsService } from './teams.service.js';
