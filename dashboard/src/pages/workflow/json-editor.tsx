import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { TextRange } from './json-place.ts';

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--completed)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--waiting)' },
]);

const LOOK = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontSize: '12px', lineHeight: '18px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--text-3)', backgroundColor: 'var(--surface)', border: 'none' },
  '.cm-content ::selection': { backgroundColor: 'var(--running-soft)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--muted)' },
});

interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  /** Null where it is only read. */
  readonly onChange: ((value: string) => void) | null;
  /** Where to go to; a new object goes there again. */
  readonly target: TextRange | null;
}

/** An editor of JSON. It stands in a shadow root: there its styles need no style element, which the policy refuses. */
export function JsonEditor({ label, value, onChange, target }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const isReadOnly = onChange === null;
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          history(),
          json(),
          EditorState.readOnly.of(isReadOnly),
          indentOnInput(),
          bracketMatching(),
          syntaxHighlighting(COLOURS),
          // Tab leaves the editor: who works with keys only is not caught in it.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({
            'aria-label': label,
            role: 'textbox',
            tabindex: '0',
            'aria-readonly': String(isReadOnly),
          }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange?.(state.doc.toString());
          }),
          LOOK,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || target === null) return;
    const end = editor.state.doc.length;
    const selection = { anchor: Math.min(target.from, end), head: Math.min(target.to, end) };
    editor.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) });
    editor.focus();
  }, [target]);
  return <div ref={host} className="h-full min-h-0" />;
}
