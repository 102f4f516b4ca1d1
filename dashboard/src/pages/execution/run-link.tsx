import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/en/execution.ts';
import { CopyIcon, shortId } from '../../ui/index.ts';

interface RunLinkProps {
  readonly id: string;
  /** Describes the linked execution in the label of its copy button, such as `the child execution`. */
  readonly of: string;
}

export function RunLink({ id, of }: RunLinkProps) {
  return (
    <span className="whitespace-nowrap">
      <Link to="/executions/$id" params={{ id }} title={id} className="mono underline">
        {shortId(id)}
      </Link>
      <CopyIcon value={id} label={texts.copyIdOf(of)} className="-my-1 ml-0.5 align-middle" />
    </span>
  );
}
