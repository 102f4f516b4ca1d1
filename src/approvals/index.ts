export { ApprovalsModule } from './approvals.module.js';
export { SignalledApprovals } from './signalled-approvals.js';
