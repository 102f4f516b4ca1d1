import { useBlocker } from '@tanstack/react-router';
import { SERVICE_URL } from '../../../base-path.ts';
import { texts } from '../../../texts/en/settings-api-keys.ts';
import { Button, CodeBlock, RevealDialog, useReveal } from '../../../ui/index.ts';

interface KeyRevealProps {
  readonly name: string;
  readonly secret: string;
  /** Additional sentence for the user, such as how long the previous key keeps working. */
  readonly note?: string;
  readonly onClose: () => void;
}

export function KeyReveal({ name, secret, note, onClose }: KeyRevealProps) {
  const reveal = useReveal();
  const { isSaved, setSaved, setAsking } = reveal;
  // Navigation is blocked until the user has saved the API key, because the service does not return the key again.
  useBlocker({
    shouldBlockFn: () => {
      if (!isSaved) setAsking(true);
      return !isSaved;
    },
    enableBeforeUnload: !isSaved,
  });
  return (
    <RevealDialog
      reveal={reveal}
      title={texts.revealTitle}
      description={texts.revealHint(name)}
      label={texts.apiKey}
      value={secret}
      warning={texts.notCopied}
      notice={<p className="rounded-md bg-waiting-soft px-3 py-2 text-waiting">{texts.storeHint}</p>}
      actions={
        <Button
          onClick={() => {
            download(secret);
            setSaved(true);
          }}
        >
          {texts.downloadEnv}
        </Button>
      }
      onClose={onClose}
    >
      {note !== undefined && <p className="text-text-2">{note}</p>}
      <CodeBlock
        label={texts.curlCommand}
        code={`curl ${SERVICE_URL}/v1/workflows \\\n  -H "Authorization: Bearer $WORKFLOW_API_KEY"`}
      />
    </RevealDialog>
  );
}

function download(secret: string): void {
  const url = URL.createObjectURL(new Blob([`WORKFLOW_API_KEY=${secret}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'workflow-service.env';
  link.click();
  URL.revokeObjectURL(url);
}
