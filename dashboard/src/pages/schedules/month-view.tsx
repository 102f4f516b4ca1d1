import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { firesQuery, type ScheduleView, upcomingQuery } from '../../api/index.ts';
import { dateFormat, displayedZone, hourAndMinute } from '../../format/index.ts';
import { texts } from '../../texts/en/schedules.ts';
import { Button, LoadFailed, SkeletonRows, StatusBadge } from '../../ui/index.ts';
import { entriesOf, monthAfter, type MonthEntry, monthGrid, monthOf, WEEKDAYS } from './month-grid.ts';

/** Maximum number of past scheduled times, and of future scheduled times, that the page requests. */
const LIMIT = 100;
/** Maximum number of scheduled times shown for each day of the calendar. */
const SHOWN_OF_DAY = 4;
const REFRESH_MS = 10_000;

const MONTH_NAME = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * @param month 0 for January
 */
function monthName(year: number, month: number): string {
  return MONTH_NAME.format(Date.UTC(year, month, 1));
}

export function MonthView({ schedule }: { readonly schedule: ScheduleView }) {
  const [month, setMonth] = useState(() => monthOf(Date.now()));
  const fires = useQuery({
    ...firesQuery(schedule.id, { limit: LIMIT }),
    refetchInterval: REFRESH_MS,
  });
  const upcoming = useQuery({ ...upcomingQuery(schedule.id, LIMIT), refetchInterval: REFRESH_MS });
  const error = fires.error ?? upcoming.error;
  const refetch = (): Promise<unknown> => Promise.all([fires.refetch(), upcoming.refetch()]);
  if (error !== null) return <LoadFailed error={error} title={texts.couldNotLoadMonth} onRetry={refetch} />;
  if (fires.data === undefined || upcoming.data === undefined) return <SkeletonRows />;
  const isCut = fires.data.pagination.total > LIMIT || upcoming.data.data.length === LIMIT;
  const title = monthName(month.year, month.month);
  return (
    <div className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-40 font-semibold" aria-live="polite">
          {title}
        </h2>
        <Button onClick={() => setMonth(monthAfter(month, -1))}>{texts.previousMonth}</Button>
        <Button onClick={() => setMonth(monthAfter(month, 1))}>{texts.nextMonth}</Button>
        <span className="ml-auto text-text-2">{texts.inYourTimeZone(displayedZone())}</span>
      </div>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={texts.calendarOf(title)}>
        <table className="w-full min-w-[760px] table-fixed border-collapse">
          <thead>
            <tr>
              {WEEKDAYS.map((day) => (
                <th key={day} scope="col" className="label border border-border px-2 py-1 text-left">
                  {day}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {monthGrid(month, entriesOf(fires.data.data, upcoming.data.data)).map((week) => (
              <tr key={week.find((day) => day !== null)?.day}>
                {week.map((day, place) => (
                  <td key={WEEKDAYS[place]} className="h-20 border border-border px-2 py-1 align-top">
                    {day !== null && (
                      <>
                        <span className="num text-text-2">{day.day}</span>
                        <Entries entries={day.entries} />
                      </>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCut && <p className="text-text-2">{texts.monthLimit(LIMIT)}</p>}
    </div>
  );
}

function Entries({ entries }: { readonly entries: readonly MonthEntry[] }) {
  if (entries.length === 0) return null;
  const hidden = entries.length - SHOWN_OF_DAY;
  return (
    <ul className="mt-1 flex flex-col gap-0.5">
      {entries.slice(0, SHOWN_OF_DAY).map((entry) => (
        <li key={`${entry.at} ${entry.executionId}`} className="flex flex-wrap items-center gap-x-1.5">
          <span className="num">{hourAndMinute(entry.at)}</span>
          {entry.executionId === null ? (
            <StatusBadge status={entry.status} />
          ) : (
            <Link to="/executions/$id" params={{ id: entry.executionId }} className="hover:underline">
              <StatusBadge status={entry.status} />
            </Link>
          )}
        </li>
      ))}
      {hidden > 0 && <li className="text-text-2">{texts.more(hidden)}</li>}
    </ul>
  );
}
