import { useState } from 'react';
import {
  answer,
  changeSavedView,
  createSavedView,
  queryClient,
  type SavedViewView,
} from '../../api/index.ts';
import { texts } from '../../texts/en/executions.ts';
import { Field, FormDialog, Input, Select, useSubmit, useToast } from '../../ui/index.ts';
import { type Filters, toViewFilters } from './view-filters.ts';

interface ViewDialogProps {
  /** The saved view to change; null to save a new view. */
  readonly view: SavedViewView | null;
  readonly filters: Filters;
  /** Whether the user may share the view with the team. Members with the role `viewer` may not share views. */
  readonly canShare: boolean;
  readonly onClose: () => void;
}

export function ViewDialog({ view, filters, canShare, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '');
  const [visibility, setVisibility] = useState<SavedViewView['visibility']>(view?.visibility ?? 'own');
  const [isEmpty, setIsEmpty] = useState(false);
  const submission = useSubmit('name');
  const toast = useToast();
  const submit = async (): Promise<void> => {
    const wanted = name.trim();
    setIsEmpty(wanted === '');
    if (wanted === '') return;
    const isSaved = await submission.send(async () => {
      await (view === null
        ? answer(
            createSavedView({
              body: {
                page: 'executions',
                name: wanted,
                visibility,
                settings: { filters: toViewFilters(filters) },
              },
            }),
          )
        : answer(changeSavedView({ path: { id: view.id }, body: { name: wanted, visibility } })));
      await queryClient.invalidateQueries({ queryKey: ['saved-views'] });
    });
    if (!isSaved) return;
    toast(texts.viewSaved(wanted));
    onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={view === null ? texts.saveViewTitle : texts.changeViewTitle(view.name)}
      description={view === null ? texts.viewHint : undefined}
      action={texts.saveView}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field label={texts.name} required error={isEmpty ? texts.nameMissing : submission.faultOf('name')}>
        <Input
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      {canShare && (
        <Field label={texts.visibleTo} required>
          <Select
            value={visibility}
            onChange={({ target }) => setVisibility(target.value === 'team' ? 'team' : 'own')}
          >
            <option value="own">{texts.onlyMe}</option>
            <option value="team">{texts.wholeTeam}</option>
          </Select>
        </Field>
      )}
    </FormDialog>
  );
}
