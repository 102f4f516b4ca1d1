export { ApprovalsModule } from './approvals.module.js';
export { SignalledApprovals, type Signaller } from './signalled-approvals.js';
