import { answer, cancelBulkJob, createBulkJob, type CreateBulkJobData } from './client.ts';

type Body = CreateBulkJobData['body'];

/** API calls for bulk jobs, which act on all executions that match a filter. A refused call throws an `ApiError`. */
export const bulkJobs = {
  create: (action: Body['action'], filter: Body['filter']) =>
    answer(createBulkJob({ body: { action, filter } })),
  cancel: (id: string) => answer(cancelBulkJob({ path: { id } })),
};
