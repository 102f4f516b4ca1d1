import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, ApiError, changeUser, meQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-profile.ts';
import { AddressesField, addressesOf, Button, ErrorNote, useSubmit, useToast } from '../../../ui/index.ts';

interface AddressesFormProps {
  readonly userId: string;
  readonly listed: readonly string[] | null;
  readonly own: string;
}

const FIELD = 'api_key_restrictions.allowed_ips';

export function AddressesForm({ userId, listed, own }: AddressesFormProps) {
  const [text, setText] = useState((listed ?? []).join('\n'));
  const submission = useSubmit(FIELD);
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = (force: boolean): Promise<boolean> =>
    submission.send(async () => {
      await answer(
        changeUser({
          path: { id: userId },
          body: { api_key_restrictions: { allowed_ips: addressesOf(text) } },
          ...(force ? { query: { force: 'true' } } : {}),
        }),
      );
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      toast(texts.addressesSaved);
    });
  const locksOut = submission.error instanceof ApiError && submission.error.code === 'would_lock_out_caller';
  return (
    <form
      noValidate
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save(false);
      }}
    >
      <div className="w-full">
        <AddressesField
          label={texts.addresses}
          text={text}
          onChange={(changed) => {
            submission.reset();
            setText(changed);
          }}
          error={submission.faultOf(FIELD)}
          own={own}
        />
      </div>
      {locksOut && (
        <div role="alert" className="w-full rounded-md bg-waiting-soft px-3 py-2 text-waiting">
          <p className="font-medium">{texts.ownAddressMissing(own)}</p>
          <p>{texts.ownAddressHint}</p>
          <div className="mt-2">
            <Button kind="danger" busy={submission.busy} onClick={() => void save(true)}>
              {texts.saveWithoutMyAddress}
            </Button>
          </div>
        </div>
      )}
      {submission.note !== null && !locksOut && (
        <ErrorNote error={submission.note} title={texts.addressesWereNotSaved} />
      )}
      <Button type="submit" busy={submission.busy}>
        {texts.saveAddresses}
      </Button>
    </form>
  );
}
