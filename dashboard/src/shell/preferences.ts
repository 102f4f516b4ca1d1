import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../api/index.ts';
import { setTimeZone } from '../format/index.ts';
import { PAGE_SIZE_STORED, readStored, store } from '../ui/index.ts';

/**
 * Key under which the browser stores the time zone of the last visit. The dashboard uses this time zone until
 * it has loaded the user's preferences.
 */
const ZONE_STORED = 'time-zone';

setTimeZone(readStored(ZONE_STORED) ?? 'local');

/** Applies the preferences that the service stores for the signed-in user. */
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
