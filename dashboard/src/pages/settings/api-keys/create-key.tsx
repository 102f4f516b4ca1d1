import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, createKey, type NewApiKeyOnWire } from '../../../api/index.ts';
import { KeyForm } from './key-form.tsx';
import { KeyReveal } from './key-reveal.tsx';

/** Dialog that creates an API key and then shows the key once. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const onDone = (key: NewApiKeyOnWire): void => {
    void queryClient.invalidateQueries({ queryKey: ['keys'] });
    // The response omits the API key only if it repeats an earlier response for the same idempotency key. The
    // dialog then has nothing to show.
    if (key.key === undefined) onClose();
    else setMade({ name: key.name, secret: key.key });
  };
  if (made !== null) return <KeyReveal name={made.name} secret={made.secret} onClose={onClose} />;
  return (
    <KeyForm
      changed={null}
      onClose={onClose}
      onSubmit={(body) => answer(createKey({ body }))}
      onDone={onDone}
    />
  );
}
