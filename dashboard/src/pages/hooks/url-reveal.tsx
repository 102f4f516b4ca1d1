import type { HookWithUrlView } from '../../api/index.ts';
import { texts } from '../../texts/en/hooks.ts';
import { CodeBlock, RevealDialog, useReveal } from '../../ui/index.ts';
import { curlOf } from './hook-form.ts';

interface UrlRevealProps {
  readonly hook: HookWithUrlView;
  /** Sentence that says how long the previous URL still works; absent without a previous URL. */
  readonly note?: string;
  readonly onClose: () => void;
}

/** Shows the new URL of a hook, with a curl command to try it. The service does not return the URL again. */
export function UrlReveal({ hook, note, onClose }: UrlRevealProps) {
  const url = hook.url ?? '';
  const signed = hook.verification.type !== 'none';
  return (
    <RevealDialog
      reveal={useReveal()}
      title={texts.revealTitle}
      description={texts.revealHint}
      label={texts.url}
      value={url}
      warning={texts.notCopied}
      onClose={onClose}
    >
      {note !== undefined && <p className="text-text-2">{note}</p>}
      <p className="text-text-2">{signed ? texts.verifiedHint : texts.tryIt}</p>
      <CodeBlock label={texts.curlCommand} code={curlOf(url, hook.methods[0] ?? 'POST')} />
    </RevealDialog>
  );
}
