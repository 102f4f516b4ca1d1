import { answer, cancelBulkJob, createBulkJob, type CreateBulkJobData } from './client.ts';

type Body = CreateBulkJobData['body'];

/** Bulk actions on executions by filter. Each function throws an `ApiError`. */
export const bulkJobs = {
  create: (action: Body['action'], filter: Body['filter']) =>
    answer(createBulkJob({ body: { action, filter } })),
  cancel: (id: string) => answer(cancelBulkJob({ path: { id } })),
};
