import { texts } from '../../../texts/en/settings-webhooks.ts';
import { RevealDialog, useReveal } from '../../../ui/index.ts';

interface SecretRevealProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function SecretReveal({ secret, onClose }: SecretRevealProps) {
  return (
    <RevealDialog
      reveal={useReveal()}
      title={texts.copySigningSecret}
      description={texts.revealHint}
      label={texts.signingSecret}
      value={secret}
      warning={texts.notCopied}
      onClose={onClose}
    />
  );
}
