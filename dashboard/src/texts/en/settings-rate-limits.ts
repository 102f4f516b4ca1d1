import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

export const texts = {
  rateLimits: 'Rate limits',
  couldNotLoad: "Couldn't load the limits.",
  requestsLeft: (burst: string) => `of ${burst} requests left now`,
  planOfThisTeam: 'Plan of this team',
  requestsPerMinute: 'Requests per minute',
  burst: 'Maximum burst',
  limitHint: (header: ReactNode) =>
    rich`Requests over the limit get status 429. The header ${header} contains the number of seconds to wait before you send the request again.`,
};
