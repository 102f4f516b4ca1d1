import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--completed)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--waiting)' },
]);

/** Styles of every code editor and its pop-ups. */
export const EDITOR_THEME = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  // The outline of a focused editor is a pseudo-element, because the gutters would cover a CSS outline.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--accent)',
    borderRadius: '8px',
    pointerEvents: 'none',
  },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontVariantLigatures: 'none',
    fontSize: '12px',
    lineHeight: '18px',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--text-3)', backgroundColor: 'var(--surface)', border: 'none' },
  '.cm-content ::selection': { backgroundColor: 'var(--running-soft)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--muted)' },
  '.cm-foldPlaceholder': {
    color: 'var(--text-2)',
    backgroundColor: 'var(--muted)',
    border: '1px solid var(--border)',
    padding: '0 4px',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--failed)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--border)',
    borderRadius: '6px',
    boxShadow: 'var(--overlay-shadow)',
    maxWidth: '420px',
    zIndex: '50',
  },
  '.cm-tooltip-hover, .cm-completionInfo': {
    padding: '6px 10px',
    fontFamily: 'var(--font-sans)',
    fontSize: '12px',
    lineHeight: '16px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: '12px',
    maxHeight: '220px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '18px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--text)',
    backgroundColor: 'var(--running-soft)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)' },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font-sans)', fontSize: '12px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--failed)' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--muted)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: '8px', fontFamily: 'var(--font-sans)', fontSize: '12px' },
  '.cm-textfield': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--control)',
    borderRadius: '6px',
    padding: '3px 8px',
    fontSize: '12px',
  },
  '.cm-button': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    border: '1px solid var(--border)',
    borderRadius: '6px',
    padding: '3px 8px',
    fontSize: '12px',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text-2)', fontSize: '16px', padding: '0 6px' },
  '.cm-searchMatch': { backgroundColor: 'var(--waiting-soft)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--waiting)' },
});
