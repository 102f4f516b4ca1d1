import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, changeUser, type MeView, meQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-profile.ts';
import { Button, ErrorNote, Field, Select, useFailure, useToast } from '../../../ui/index.ts';

type Preferences = NonNullable<MeView['preferences']>;

const BROWSER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const SIZES = [20, 50, 100] as const satisfies readonly Preferences['page_size'][];

export function PreferencesForm({ preferences }: { readonly preferences: Preferences }) {
  const [zone, setZone] = useState(preferences.time_zone);
  const [size, setSize] = useState(preferences.page_size);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useFailure();
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await answer(
        changeUser({ path: { id: 'me' }, body: { preferences: { time_zone: zone, page_size: size } } }),
      );
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      toast(texts.preferencesSaved);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={texts.timeZone} hint={texts.timeZoneHint}>
        <Select value={zone} onChange={(event) => setZone(event.target.value)}>
          <option value="local">{texts.localZone(BROWSER_ZONE)}</option>
          <option value="UTC">UTC</option>
          {zonesWith(zone).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={texts.pageSize}>
        <Select
          value={size}
          onChange={(event) => setSize(SIZES.find((each) => String(each) === event.target.value) ?? size)}
        >
          {SIZES.map((each) => (
            <option key={each} value={each}>
              {texts.rows(each)}
            </option>
          ))}
        </Select>
      </Field>
      {error !== null && <ErrorNote error={error} title={texts.preferencesWereNotSaved} />}
      <Button type="submit" busy={busy}>
        {texts.savePreferences}
      </Button>
    </form>
  );
}

/**
 * All time zones that the browser knows, except UTC. The chosen time zone is included even if the browser does not know
 * it.
 */
function zonesWith(chosen: string): readonly string[] {
  const zones = Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC');
  return chosen === 'local' || chosen === 'UTC' || zones.includes(chosen) ? zones : [chosen, ...zones];
}
