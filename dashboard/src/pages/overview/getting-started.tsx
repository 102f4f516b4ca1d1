import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { SERVICE_URL } from '../../base-path.ts';
import { useMay } from '../../api/index.ts';
import { useProject } from '../../shell/project.ts';
import { texts } from '../../texts/en/overview.ts';
import { Button, classes, CodeBlock, ErrorNote } from '../../ui/index.ts';
import { runOrderDemo } from '../../shell/run-order-demo.ts';
import type { FirstSteps } from './use-first-steps.ts';

interface Step {
  readonly title: string;
  readonly done: boolean;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  readonly go: string;
  /** Command line that performs the step, with curl or the CLI of the service. */
  readonly curl: string;
  /** Text that completes the label `Copy command that ...` of the copy button. */
  readonly label: string;
}

interface GettingStartedProps {
  readonly steps: FirstSteps;
}

/** The getting-started steps. They are shown until all of them are done or the user hides them. */
export function GettingStarted({ steps }: GettingStartedProps) {
  const may = useMay();
  if (!steps.areShown) return null;
  return (
    <section aria-labelledby="getting-started" className="border-b border-border p-5">
      <div className="flex items-center justify-between">
        <h2 id="getting-started" className="text-title font-semibold">
          {texts.gettingStarted}
        </h2>
        <Button kind="quiet" onClick={steps.hide}>
          {texts.hide}
        </Button>
      </div>
      {steps.runId === undefined && may('executions:write') && <OrderDemo />}
      <ol className="mt-2 flex max-w-[760px] flex-col gap-3">
        {stepsOf(steps).map((step) => (
          <StepItem key={step.title} {...step} />
        ))}
      </ol>
    </section>
  );
}

/** Button that starts an execution of a demo workflow and opens the page of the execution. */
function OrderDemo() {
  const { projectId } = useProject();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const start = useMutation({
    mutationFn: () => runOrderDemo(projectId),
    onSuccess: async (id) => {
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      void queryClient.invalidateQueries({ queryKey: ['executions'] });
      await navigate({ to: '/executions/$id', params: { id } });
    },
  });
  return (
    <div className="my-3 flex max-w-[760px] flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" needsService busy={start.isPending} onClick={() => start.mutate()}>
          {texts.runOrderDemo}
        </Button>
        <p className="text-text-2">{texts.orderDemoShows}</p>
      </div>
      {start.error !== null && <ErrorNote error={start.error} title={texts.orderDemoDidNotStart} />}
    </div>
  );
}

function StepItem({ title, done, link, go, curl, label }: Step) {
  const Icon = done ? CircleCheck : Circle;
  return (
    <li className="flex gap-2.5">
      <Icon
        size={16}
        aria-label={done ? texts.done : texts.toDo}
        className={classes('mt-0.5 shrink-0', done ? 'text-completed' : 'text-text-3')}
      />
      <div className="min-w-0 flex-1">
        <p className={classes('font-medium', done && 'text-text-3')}>{title}</p>
        {!done && (
          <>
            <p className="mb-1 text-text-2">
              {texts.orByHand(
                <Link {...link} className="text-accent underline">
                  {go}
                </Link>,
              )}
            </p>
            <CodeBlock label={label} code={curl} />
          </>
        )}
      </div>
    </li>
  );
}

function stepsOf({ hasKey, workflowId, runId, watched }: FirstSteps): readonly Step[] {
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
      title: texts.makeKey,
      done: hasKey,
      link: { to: '/settings/api-keys' },
      go: texts.createKeyLink,
      label: texts.keyCommand,
      curl: 'npm run cli -- keys create --name laptop',
    },
    {
      title: texts.makeWorkflow,
      done: workflowId !== undefined,
      link: { to: '/workflows' },
      go: texts.createWorkflowLink,
      label: texts.workflowCommand,
      curl: `curl ${url}/workflows ${key} ${json} \\
  -d '{"name":"greeting","nodes":[{"id":"greet","type":"set","with":{"value":"Hello {{ input.name }}"}}]}'`,
    },
    {
      title: texts.runIt,
      done: runId !== undefined,
      link: workflow,
      go: texts.runLink,
      label: texts.runCommand,
      curl: `curl ${url}/workflows/${workflowId ?? 'WORKFLOW_ID'}/executions ${key} ${json} \\
  -d '{"input":{"name":"Ada"}}'`,
    },
    {
      title: texts.watchItLive,
      done: watched,
      link: run,
      go: texts.openExecution,
      label: texts.watchCommand,
      curl: `curl ${url}/executions/${runId ?? 'EXECUTION_ID'}/events ${key}`,
    },
  ];
}
