import { answer, cancelBulkJob, createBulkJob, type CreateBulkJobData } from './client.ts';

type Body = CreateBulkJobData['body'];

/** Actions on every execution that matches a filter. Each throws an `ApiError`. */
export const bulkJobs = {
  create: (action: Body['action'], filter: Body['filter']) =>
    answer(createBulkJob({ body: { action, filter } })),
  cancel: (id: string) => answer(cancelBulkJob({ path: { id } })),
};
