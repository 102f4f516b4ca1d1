import { Link } from '@tanstack/react-router';
import { CopyIcon, shortId } from '../../ui/index.ts';

interface RunLinkProps {
  readonly id: string;
  /** Which run it is: `the child run`. */
  readonly of: string;
}

/** Another run, to be gone to or copied. */
export function RunLink({ id, of }: RunLinkProps) {
  return (
    <span className="whitespace-nowrap">
      <Link to="/executions/$id" params={{ id }} title={id} className="mono underline">
        {shortId(id)}
      </Link>
      <CopyIcon value={id} label={`Copy id of ${of}`} className="-my-1 ml-0.5 align-middle" />
    </span>
  );
}
