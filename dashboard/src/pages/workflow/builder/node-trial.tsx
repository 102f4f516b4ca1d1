import { FlaskConical } from 'lucide-react';
import { useId, useState } from 'react';
import { answer, type NodeDto, type NodeTypeView, testNode, type TestNodeView } from '../../../api/index.ts';
import { duration } from '../../../format/index.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { Button, ErrorNote, Field, JsonTree, StatusBadge, TextArea, useSubmit } from '../../../ui/index.ts';
import { trialScope } from './trial-scope.ts';

interface NodeTrialProps {
  readonly workflowId: string;
  readonly node: NodeDto;
  /** The node as saved in the workflow; undefined if the node has not been saved yet. */
  readonly saved: NodeDto | undefined;
  readonly type: NodeTypeView;
  readonly isInLoop: boolean;
  readonly last: Readonly<Record<string, unknown>> | null;
}

export function NodeTrial({ workflowId, node, saved, type, isInLoop, last }: NodeTrialProps) {
  const heading = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [result, setResult] = useState<TestNodeView | null>(null);
  const submission = useSubmit();
  const text = typed ?? JSON.stringify(trialScope(node, isInLoop, last), null, 2);
  const isChanged = JSON.stringify(saved?.with) !== JSON.stringify(node.with);
  const run = async (): Promise<void> => {
    setAsking(false);
    const scope = parsed(text);
    setFault(scope === null ? texts.dataNotJson : undefined);
    if (scope === null) return;
    setResult(null);
    await submission.send(async () => {
      const parameters = isChanged ? { with: { ...node.with } } : {};
      const path = { id: workflowId, node_id: node.id };
      setResult(await answer(testNode({ path, body: { scope, ...parameters } })));
    });
  };
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-3 rounded-md border border-border p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 id={heading} className="font-medium">
          {texts.testThisNode}
        </h3>
        <Button
          icon={<FlaskConical size={14} aria-hidden />}
          disabled={saved === undefined}
          busy={submission.busy}
          onClick={() => (hasEffects(type) ? setAsking(true) : void run())}
        >
          {texts.runTest}
        </Button>
      </div>
      {saved === undefined && <p className="text-text-2">{texts.saveFirst}</p>}
      {isAsking && (
        <div role="alert" className="flex flex-col gap-2 rounded-md bg-waiting-soft p-2.5 text-waiting">
          <p>{texts.effectsWarning}</p>
          <div className="flex gap-2">
            <Button kind="danger" onClick={() => void run()}>
              {texts.runWithEffects}
            </Button>
            <Button onClick={() => setAsking(false)}>{texts.cancel}</Button>
          </div>
        </div>
      )}
      <Field
        label={texts.data}
        required
        hint={last === null ? texts.dataHint : texts.dataFromLastHint}
        error={fault}
      >
        <TextArea
          rows={6}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      {submission.note !== null && <ErrorNote error={submission.note} title={texts.notTested} />}
      {result !== null && <TrialResult result={result} />}
    </section>
  );
}

function TrialResult({ result }: { readonly result: TestNodeView }) {
  const { status, output, error, logs, waiting_for: waiting, duration_ms: durationMs } = result;
  return (
    <div role="status" aria-label={texts.testResult} className="flex flex-col gap-2">
      <p className="flex items-center gap-2">
        <StatusBadge status={status} />
        <span className="num text-text-2">{duration(durationMs)}</span>
        <span className="text-text-3">{texts.notRecorded}</span>
      </p>
      {error !== undefined && <p className="wrap-anywhere text-failed">{error.message}</p>}
      {waiting !== undefined && (
        <p className="text-text-2">
          {waiting.signal === null
            ? texts.wouldWaitUntil(waiting.until)
            : texts.wouldWaitForSignal(waiting.signal)}
        </p>
      )}
      {status === 'completed' && <JsonTree value={output} label={texts.testOutput} />}
      {error?.details !== undefined && <JsonTree value={error.details} label={texts.errorDetails} />}
      {logs.length > 0 && (
        <pre aria-label={texts.logs} className="mono overflow-x-auto rounded-md bg-muted p-2.5">
          {logs.join('\n')}
        </pre>
      )}
    </div>
  );
}

/** Whether a node of this type may have an effect outside its execution. */
function hasEffects({ capabilities: { pure, cacheable, suspends } }: NodeTypeView): boolean {
  return !pure && !cacheable && !suspends;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
