import { useQuery } from '@tanstack/react-query';
import { SERVICE_URL } from '../../../base-path.ts';
import { versionQuery } from '../../../api/index.ts';
import { Button, ErrorNote, Id, PageHeader, SkeletonRows, Time } from '../../../ui/index.ts';

/** Opens in a new tab, so that the dashboard stays open. */
const ELSEWHERE = { target: '_blank', rel: 'noreferrer' };

/** The version of the service, with links to its API descriptions. */
export function AboutPage() {
  const { data, error, refetch } = useQuery(versionQuery);
  return (
    <>
      <PageHeader title="About" />
      {data === undefined && error === null && <SkeletonRows rows={5} />}
      {error !== null && (
        <div className="p-5">
          <ErrorNote error={error} title="Could not read the version.">
            <Button onClick={() => void refetch()}>Try again</Button>
          </ErrorNote>
        </div>
      )}
      {data !== undefined && (
        <dl className="grid max-w-xl grid-cols-[160px_minmax(0,1fr)] gap-y-3 p-5">
          <dt className="text-text-2">Version</dt>
          <dd className="font-medium">{data.version}</dd>
          <dt className="text-text-2">Commit</dt>
          <dd>{data.commit === 'unknown' ? 'unknown' : <Id value={data.commit} of="the commit" whole />}</dd>
          <dt className="text-text-2">Built</dt>
          <dd>
            <Time value={data.built_at} />
          </dd>
          <dt className="text-text-2">Running since</dt>
          <dd>
            <Time value={data.started_at} />
          </dd>
          <dt className="text-text-2">Node.js</dt>
          <dd>{data.node_version}</dd>
          <dt className="text-text-2">API versions</dt>
          <dd>
            {data.api_versions.join(', ')}; deprecated: {data.deprecated_api_versions.join(', ')}
          </dd>
          <dt className="text-text-2">Interface</dt>
          <dd className="flex gap-3">
            <a className="text-accent hover:underline" href={`${SERVICE_URL}/swagger`} {...ELSEWHERE}>
              Try the API
            </a>
            <a className="text-accent hover:underline" href={`${SERVICE_URL}/openapi.json`} {...ELSEWHERE}>
              openapi.json
            </a>
          </dd>
        </dl>
      )}
    </>
  );
}
