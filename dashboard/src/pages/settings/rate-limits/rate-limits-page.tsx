import { useQuery } from '@tanstack/react-query';
import { rateLimitQuery } from '../../../api/index.ts';
import { number } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-rate-limits.ts';
import { LoadFailed, PageHeader, SkeletonRows } from '../../../ui/index.ts';

const REFRESH_MS = 5_000;

export function RateLimitsPage() {
  const { data, error, refetch } = useQuery({ ...rateLimitQuery, refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader title={texts.rateLimits} />
      {data === undefined && error === null && <SkeletonRows rows={3} />}
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoad} onRetry={refetch} />}
      {data !== undefined && (
        <div className="flex max-w-xl flex-col gap-5 p-5">
          <div>
            <p id="left" className="text-figure font-semibold">
              <span className="num">{number(data.remaining)}</span>
              <span className="ml-2 text-body font-normal text-text-2">
                {texts.requestsLeft(number(data.burst))}
              </span>
            </p>
            <meter
              aria-labelledby="left"
              min={0}
              max={data.burst}
              value={data.remaining}
              className="mt-2 h-2 w-full"
            />
          </div>
          <dl className="grid grid-cols-[180px_minmax(0,1fr)] gap-y-3">
            <dt className="text-text-2">{texts.planOfThisTeam}</dt>
            <dd>{data.plan}</dd>
            <dt className="text-text-2">{texts.requestsPerMinute}</dt>
            <dd className="num">{number(data.requests_per_minute)}</dd>
            <dt className="text-text-2">{texts.burst}</dt>
            <dd className="num">{number(data.burst)}</dd>
          </dl>
          <p className="text-text-2">{texts.limitHint(<code className="mono">Retry-After</code>)}</p>
        </div>
      )}
    </>
  );
}
