import type { BackfillView } from '../../api/index.ts';
import { absoluteTime, number } from '../../format/index.ts';
import { texts } from '../../texts/en/schedules.ts';
import { ProgressBar } from '../../ui/index.ts';

export function BackfillProgress({ backfills }: { readonly backfills: readonly BackfillView[] }) {
  const running = backfills.filter(({ status }) => status === 'running');
  if (running.length === 0) return null;
  return (
    <section aria-label={texts.backfills} className="flex flex-col gap-2 border-b border-border px-5 py-3">
      {running.map((backfill) => (
        <div key={backfill.id} className="flex max-w-xl flex-col gap-1">
          <p className="num">
            {texts.backfillPeriod(
              absoluteTime(backfill.from),
              absoluteTime(backfill.to),
              number(backfill.done),
              number(backfill.instants),
            )}
          </p>
          <ProgressBar
            label={texts.backfillProgress}
            fraction={backfill.instants === 0 ? 0 : backfill.done / backfill.instants}
          />
        </div>
      ))}
    </section>
  );
}
