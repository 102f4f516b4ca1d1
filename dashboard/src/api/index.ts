export * from './client.ts';
export { ApiError } from './api-error.ts';
export { bulkJobs } from './bulk-jobs.ts';
export { availability } from './availability.ts';
export { loadChunk, NewVersionError } from './load-chunk.ts';
export { queryClient } from './query-client.ts';
export { streamJournal } from './journal-stream.ts';
export * from './queries.ts';
export { runActions } from './run-actions.ts';
export {
  forget,
  type Scope,
  signedIn,
  signInQuery,
  signOut,
  switchTeam,
  useMay,
  useSignIn,
} from './session.ts';
