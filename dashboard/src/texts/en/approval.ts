/** Texts of the approval page. */
export const texts = {
  alreadyDecided: 'This approval has already been decided.',
  expired: 'This approval has expired.',
  executionEnded: 'The execution has ended, so no decision is needed.',
  signInToDecide: 'Sign in to decide.',
  notApprover: 'You are not an approver of this decision.',
  ownExecution: 'You started this execution, so another person must decide.',
  approval: 'Approval',
  couldNotLoad: "Couldn't load the approval.",
  notRecorded: 'Your decision was not recorded.',
  decisionIsFinal: 'This decision is final and recorded with your name. The execution continues accordingly.',
  approve: 'Approve',
  reject: 'Reject',
  openExecution: 'Open execution',
};
