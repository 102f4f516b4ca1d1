import type { ValueDiffView } from '../../api/index.ts';
import { texts } from '../../texts/en/comparison.ts';

interface ValueDiffProps {
  /** Name of the compared value, such as `Input of charge`. */
  readonly label: string;
  readonly diff: ValueDiffView;
}

export function ValueDiff({ label, diff }: ValueDiffProps) {
  if (diff.equal === null)
    return (
      <p className="flex flex-wrap gap-3 text-text-2">
        {texts.tooLong}
        {diff.base_url !== undefined && <ValueLink url={diff.base_url} text={texts.openBase} />}
        {diff.other_url !== undefined && <ValueLink url={diff.other_url} text={texts.openOther} />}
      </p>
    );
  if (diff.equal) return <p className="text-text-2">{texts.noDifference}</p>;
  const hidden = diff.total - diff.changes.length;
  return (
    // The scrollable table can be focused, because keyboard users can scroll an element only if it has the focus.
    <div
      tabIndex={0}
      role="region"
      aria-label={texts.differencesIn(label)}
      className="max-h-[480px] overflow-auto rounded-md border border-border"
    >
      <table className="w-full min-w-[560px] table-fixed text-left">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="bg-muted text-text-2">
            <th scope="col" className="w-1/4 px-3 py-1.5 font-medium">
              {texts.pathOfValue}
            </th>
            <th scope="col" className="w-24 px-3 py-1.5 font-medium">
              {texts.kind}
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              {texts.base}
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              {texts.other}
            </th>
          </tr>
        </thead>
        <tbody>
          {diff.changes.map((change) => (
            <tr key={change.path} className="border-t border-border align-top">
              <th scope="row" className="mono px-3 py-1.5 font-normal wrap-anywhere">
                {change.path === '' ? texts.wholeValue : change.path}
              </th>
              <td className="px-3 py-1.5">{texts.kinds[change.kind]}</td>
              <td className="mono px-3 py-1.5 wrap-anywhere">
                {change.kind === 'added' ? '–' : valueText(change.base, change.base_truncated)}
              </td>
              <td className="mono px-3 py-1.5 wrap-anywhere">
                {change.kind === 'removed' ? '–' : valueText(change.other, change.other_truncated)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p className="px-3 py-1.5 text-text-2">{texts.more(hidden)}</p>}
    </div>
  );
}

function valueText(value: unknown, isCut = false): string {
  const text = isCut && typeof value === 'string' ? value : JSON.stringify(value);
  return isCut ? `${text}${texts.cut}` : text;
}

function ValueLink({ url, text }: { readonly url: string; readonly text: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
      {text}
    </a>
  );
}
