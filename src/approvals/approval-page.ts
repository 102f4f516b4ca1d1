import { createHash } from 'node:crypto';
import { assertNever } from '../execution-events/index.js';
import type { Approval } from './approvals.service.js';

/** An HTML page with its status and headers. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

const STYLE = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #f4f5f7; }
main { max-width: 32rem; margin: 12vh auto; padding: 2rem; background: #fff; border: 1px solid #d9dde3; border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; overflow-wrap: anywhere; }
p { margin: 0 0 1.25rem; overflow-wrap: anywhere; white-space: pre-wrap; }
button { font: inherit; font-weight: 600; padding: .6rem 1.4rem; border: 0; border-radius: 8px; color: #fff; background: #1a6b3c; cursor: pointer; }
button.reject { background: #a3262a; }
button:focus-visible { outline: 3px solid #6aa5ff; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e9ee; background: #14171b; }
  main { background: #1d2126; border-color: #343a42; }
}
`;

/** The page may use only its inline style, and its form may post only to the address of the page. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** The page of an approval link: a button for the decision, or the reason why no decision is possible. */
export function approvalPage(approval: Approval): Page {
  const { status, title, text, button, link = null } = contentOf(approval);
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
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>${form}${onward}
</main>
</body>
</html>
`;
  return { status, headers: HEADERS, html };
}

interface Content {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly button: { readonly label: string; readonly className: string } | null;
  /** Link to the approval in the dashboard. */
  readonly link?: string;
}

function contentOf(approval: Approval): Content {
  switch (approval.kind) {
    case 'unknown':
      return said(404, 'Page not found', 'This link is unknown. Check that you copied the whole link.');
    case 'open': {
      const { approved, title, description } = approval;
      return {
        status: 200,
        title,
        text: description ?? 'Please decide.',
        button: approved
          ? { label: 'Approve', className: 'approve' }
          : { label: 'Reject', className: 'reject' },
      };
    }
    case 'sign_in':
      return {
        ...said(200, approval.title, 'Sign in to the dashboard to decide.'),
        link: approval.url,
      };
    case 'recorded':
      return said(200, approval.title, approval.approved ? 'Approved. Thank you.' : 'Rejected. Thank you.');
    case 'decided':
      return said(409, approval.title, 'This approval was already decided. Nothing was changed.');
    case 'expired':
      return said(410, approval.title, 'The deadline for this decision has passed. Nothing was changed.');
    case 'finished':
      return said(
        410,
        approval.title,
        'The execution has ended, so no decision is needed. Nothing was changed.',
      );
    default:
      return assertNever(approval);
  }
}

function said(status: number, title: string, text: string): Content {
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
