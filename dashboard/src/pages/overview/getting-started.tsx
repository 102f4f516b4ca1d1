import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { SERVICE_URL } from '../../base-path.ts';
import { executionsQuery, keysQuery, useMay, workflowsQuery } from '../../api/index.ts';
import { Button, classes, CodeBlock, useStored } from '../../ui/index.ts';

interface Step {
  readonly title: string;
  readonly done: boolean;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  readonly go: string;
  /** The same step with curl. */
  readonly curl: string;
  /** Whether opening the link completes the step. */
  readonly watches?: boolean;
}

const ONE = { limit: 1, offset: 0 } as const;

/** The first steps. It disappears when all are done or the user dismisses it. */
export function GettingStarted() {
  const may = useMay();
  const [hidden, setHidden] = useStored('getting-started');
  const [watched, setWatched] = useStored('watched-a-run');
  const keys = useQuery(keysQuery(ONE)).data;
  const workflows = useQuery(workflowsQuery(ONE)).data;
  const runs = useQuery(executionsQuery(ONE)).data;
  if (
    !may('workflows:write') ||
    hidden !== null ||
    keys === undefined ||
    workflows === undefined ||
    runs === undefined
  )
    return null;
  const workflowId = workflows.data[0]?.id;
  const runId = runs.data[0]?.id;
  const steps = stepsOf({
    hasKey: keys.data.length > 0,
    workflowId,
    runId,
    watched: watched !== null,
  });
  if (steps.every(({ done }) => done)) return null;
  return (
    <section aria-labelledby="getting-started" className="border-b border-border p-5">
      <div className="flex items-center justify-between">
        <h2 id="getting-started" className="text-title font-semibold">
          Getting started
        </h2>
        <Button kind="quiet" onClick={() => setHidden('hidden')}>
          Hide
        </Button>
      </div>
      <ol className="mt-2 flex max-w-[760px] flex-col gap-3">
        {steps.map((step) => (
          <StepItem key={step.title} step={step} onGo={() => step.watches && setWatched('yes')} />
        ))}
      </ol>
    </section>
  );
}

interface StepItemProps {
  readonly step: Step;
  readonly onGo: () => void;
}

function StepItem({ step: { title, done, link, go, curl }, onGo }: StepItemProps) {
  const Icon = done ? CircleCheck : Circle;
  return (
    <li className="flex gap-2.5">
      <Icon
        size={16}
        aria-label={done ? 'Done' : 'To do'}
        className={classes('mt-0.5 shrink-0', done ? 'text-completed' : 'text-text-3')}
      />
      <div className="min-w-0 flex-1">
        <p className={classes('font-medium', done && 'text-text-3')}>{title}</p>
        {!done && (
          <>
            <p className="mb-1 text-text-2">
              <Link {...link} onClick={onGo} className="text-accent underline">
                {go}
              </Link>
              , or by hand:
            </p>
            <CodeBlock label={`command to ${title.toLowerCase()}`} code={curl} />
          </>
        )}
      </div>
    </li>
  );
}

interface Known {
  readonly hasKey: boolean;
  readonly workflowId: string | undefined;
  readonly runId: string | undefined;
  readonly watched: boolean;
}

function stepsOf({ hasKey, workflowId, runId, watched }: Known): readonly Step[] {
  const url = `${SERVICE_URL}/v1`;
  const key = '\\\n  -H "Authorization: Bearer $WORKFLOW_API_KEY"';
  const json = "\\\n  -H 'Content-Type: application/json'";
  const workflow =
    workflowId === undefined
      ? ({ to: '/workflows' } as const)
      : ({ to: '/workflows/$id', params: { id: workflowId } } as const);
  const run =
    runId === undefined
      ? ({ to: '/executions' } as const)
      : ({ to: '/executions/$id', params: { id: runId } } as const);
  return [
    {
      title: 'Make a key',
      done: hasKey,
      link: { to: '/settings/api-keys' },
      go: 'Create one under API Keys',
      curl: 'npm run cli -- keys create --name laptop',
    },
    {
      title: 'Make a workflow',
      done: workflowId !== undefined,
      link: { to: '/workflows' },
      go: 'Create one from a template',
      curl: `curl ${url}/workflows ${key} ${json} \\
  -d '{"name":"greeting","nodes":[{"id":"greet","type":"set","with":{"value":"Hello {{ input.name }}"}}]}'`,
    },
    {
      title: 'Run it',
      done: runId !== undefined,
      link: workflow,
      go: 'Press Run on its page',
      curl: `curl ${url}/workflows/${workflowId ?? 'WORKFLOW_ID'}/executions ${key} ${json} \\
  -d '{"input":{"name":"Ada"}}'`,
    },
    {
      title: 'Watch it live',
      done: watched,
      link: run,
      go: 'Open a run',
      watches: runId !== undefined,
      curl: `curl ${url}/executions/${runId ?? 'RUN_ID'}/events ${key}`,
    },
  ];
}
