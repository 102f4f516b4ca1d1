import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../api/index.ts';
import { setTimeZone } from '../format/index.ts';
import { PAGE_SIZE_STORED, readStored, store } from '../ui/index.ts';

/** Time zone of the last visit, used until the preferences are loaded. */
const ZONE_STORED = 'time-zone';

setTimeZone(readStored(ZONE_STORED) ?? 'local');

/** Applies the stored preferences of the signed-in user. */
export function usePreferences(): void {
  const { data } = useQuery(meQuery);
  const preferences = data?.preferences;
  useEffect(() => {
    if (preferences === undefined) return;
    setTimeZone(preferences.time_zone);
    store(ZONE_STORED, preferences.time_zone);
    store(PAGE_SIZE_STORED, String(preferences.page_size));
  }, [preferences]);
}
