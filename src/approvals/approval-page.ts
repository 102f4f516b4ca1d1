import { createHash } from 'node:crypto';
import { assertNever } from '../execution-events/index.js';
import type { Approval, ApprovalRequest } from './approvals.service.js';

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

const STYLE = `
:root { color-scheme: light dark; --bg: #fcfcfd; --surface: #fff; --border: #e3e4e8; --text: #16181d; --text-2: #545962; --accent: #4f46e5; --on-accent: #fff; --failed: #c8283a; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #0b0c0f; --surface: #121419; --border: #272b34; --text: #ecedf0; --text-2: #a7adb8; --accent: #8f8bff; --on-accent: #0b0c0f; --failed: #ff6b78; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 12vh 16px 32px; font: 14px/22px Inter, system-ui, sans-serif; color: var(--text); background: var(--bg); }
header, main { max-width: 440px; margin: 0 auto; }
header { display: flex; align-items: center; gap: 8px; font-weight: 600; }
header span { width: 18px; height: 18px; border-radius: 6px; background: var(--accent); }
main { margin-top: 20px; padding: 20px; background: var(--surface); border: 1px solid var(--border); border-radius: 12px; }
h1 { margin: 0; font-size: 17px; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 8px 0 0; overflow-wrap: anywhere; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 16px 0 0; padding-top: 16px; border-top: 1px solid var(--border); }
dt { color: var(--text-2); }
dd { margin: 0; overflow-wrap: anywhere; }
form { margin-top: 20px; }
button { font: inherit; font-weight: 500; min-height: 36px; padding: 0 16px; border: 1px solid transparent; border-radius: 6px; color: var(--on-accent); background: var(--accent); cursor: pointer; }
button.reject { color: var(--failed); background: var(--surface); border-color: var(--border); }
a { display: inline-block; margin-top: 16px; color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/**
 * HTTP headers of approval pages. A page may use only its own inline style, and its form may post only to the same
 * origin.
 */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

/**
 * Renders the page of an approval link. The page contains a button for the decision, or the reason why no decision is
 * possible.
 */
export function approvalPage(approval: Approval): Page {
  const { status, title, text, button, link = null, request = null } = contentOf(approval);
  const form =
    button === null
      ? ''
      : `\n<form method="post"><button class="${button.className}" type="submit">${button.label}</button></form>`;
  const onward = link === null ? '' : `\n<a href="${escaped(link)}">Decide in the dashboard</a>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><span></span>Workflow Service</header>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>${request === null ? '' : factsOf(request)}${form}${onward}
</main>
</body>
</html>
`;
  return { status, headers: HEADERS, html };
}

function factsOf({ by, workflow, executionId, deadline }: ApprovalRequest): string {
  const facts = [
    ['Requested by', by],
    ['Workflow', workflow],
    ['Execution', executionId.slice(-8)],
    ['Deadline', deadline === null ? null : DEADLINE.format(new Date(deadline))],
  ] as const;
  const rows = facts.map(([name, value]) =>
    value === null ? '' : `<dt>${name}</dt><dd>${escaped(value)}</dd>`,
  );
  return `\n<dl>${rows.join('')}</dl>`;
}

const DEADLINE = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
});

interface Content {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly button: { readonly label: string; readonly className: string } | null;
  /** URL of the approval in the dashboard, for approvals that require a sign-in. */
  readonly link?: string;
  /** Details of the request for approval; absent if no decision is possible. */
  readonly request?: ApprovalRequest;
}

function contentOf(approval: Approval): Content {
  switch (approval.kind) {
    case 'unknown':
      return textOnly(404, 'Page not found', 'This link is unknown. Check that you copied the whole link.');
    case 'open': {
      const { approved, title, description, request } = approval;
      return {
        status: 200,
        title,
        text: description ?? 'Please decide.',
        request,
        button: approved
          ? { label: 'Approve', className: 'approve' }
          : { label: 'Reject', className: 'reject' },
      };
    }
    case 'sign_in':
      return {
        ...textOnly(200, approval.title, 'Sign in to the dashboard to decide.'),
        link: approval.url,
        request: approval.request,
      };
    case 'recorded':
      return textOnly(
        200,
        approval.title,
        approval.approved ? 'Approved. Thank you.' : 'Rejected. Thank you.',
      );
    case 'decided':
      return textOnly(409, approval.title, 'This approval was already decided. Nothing was changed.');
    case 'expired':
      return textOnly(410, approval.title, 'The deadline for this decision has passed. Nothing was changed.');
    case 'finished':
      return textOnly(
        410,
        approval.title,
        'The execution has ended, so no decision is needed. Nothing was changed.',
      );
    default:
      return assertNever(approval);
  }
}

function textOnly(status: number, title: string, text: string): Content {
  return { status, title, text, button: null };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
