import { useQuery } from '@tanstack/react-query';
import { SERVICE_URL } from '../../../base-path.ts';
import { versionQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-about.ts';
import { Button, ErrorNote, Id, PageHeader, SkeletonRows, Time } from '../../../ui/index.ts';

const NEW_TAB = { target: '_blank', rel: 'noreferrer' };

export function AboutPage() {
  const { data, error, refetch } = useQuery(versionQuery);
  return (
    <>
      <PageHeader title={texts.about} />
      {data === undefined && error === null && <SkeletonRows rows={5} />}
      {error !== null && (
        <div className="p-5">
          <ErrorNote error={error} title={texts.couldNotLoadVersion}>
            <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
          </ErrorNote>
        </div>
      )}
      {data !== undefined && (
        <dl className="grid max-w-xl grid-cols-[160px_minmax(0,1fr)] gap-y-3 p-5">
          <dt className="text-text-2">{texts.version}</dt>
          <dd className="font-medium">{data.version}</dd>
          <dt className="text-text-2">{texts.commit}</dt>
          <dd>
            {data.commit === 'unknown' ? (
              texts.unknown
            ) : (
              <Id value={data.commit} of={texts.theCommit} whole />
            )}
          </dd>
          <dt className="text-text-2">{texts.built}</dt>
          <dd>
            <Time value={data.built_at} />
          </dd>
          <dt className="text-text-2">{texts.runningSince}</dt>
          <dd>
            <Time value={data.started_at} />
          </dd>
          <dt className="text-text-2">Node.js</dt>
          <dd>{data.node_version}</dd>
          <dt className="text-text-2">{texts.apiVersions}</dt>
          <dd>
            {texts.versionsAndDeprecated(
              data.api_versions.join(', '),
              data.deprecated_api_versions.join(', '),
            )}
          </dd>
          <dt className="text-text-2">{texts.apiReference}</dt>
          <dd className="flex flex-wrap gap-x-3 whitespace-nowrap">
            <a className="text-accent hover:underline" href={`${SERVICE_URL}/swagger`} {...NEW_TAB}>
              {texts.tryApi}
            </a>
            <a className="text-accent hover:underline" href={`${SERVICE_URL}/openapi.json`} {...NEW_TAB}>
              openapi.json
            </a>
          </dd>
        </dl>
      )}
    </>
  );
}
