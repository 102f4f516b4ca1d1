import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { COLORS, EDITOR_THEME } from './code-look.ts';
import { placeOf, type TextRange } from './json-place.ts';
import { changeBetween } from './text-change.ts';

export interface Problem {
  /**
   * Path of the invalid value in the JSON text, such as `nodes[0].id`; empty if the problem concerns the whole text.
   */
  readonly field: string;
  readonly reason: string;
}

export interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  /** Called with the new text after an edit. Null makes the editor read-only. */
  readonly onChange: ((value: string) => void) | null;
  /** Range to which the editor scrolls. A new object with an equal range makes the editor scroll again. */
  readonly target: TextRange | null;
  readonly problems?: readonly Problem[];
  /** Creates CodeMirror extensions such as completion and hover. The function is called once for each editor. */
  readonly extensions?: () => Extension;
  /** Turns off the undo history of the editor, for pages that keep their own undo history. */
  readonly withoutHistory?: boolean;
}

const NONE: readonly Problem[] = [];
const noExtensions = (): Extension => [];

/**
 * A JSON editor (CodeMirror) in a shadow root. Outside of a shadow root, CodeMirror adds style elements, which the
 * content security policy blocks.
 */
export function JsonEditor({
  label,
  value,
  onChange,
  target,
  problems = NONE,
  extensions = noExtensions,
  withoutHistory = false,
}: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const isReadOnly = onChange === null;
  const latest = useRef({ value, onChange, extensions });
  useEffect(() => {
    latest.current = { value, onChange, extensions };
  });
  useEffect(() => {
    const box = host.current;
    if (box === null) return undefined;
    const root = box.shadowRoot ?? box.attachShadow({ mode: 'open' });
    const state = EditorState.create({
      doc: latest.current.value,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        withoutHistory ? [] : [history(), keymap.of(historyKeymap)],
        json(),
        EditorState.readOnly.of(isReadOnly),
        indentOnInput(),
        bracketMatching(),
        highlightSelectionMatches(),
        search({ top: false }),
        syntaxHighlighting(COLORS),
        latest.current.extensions(),
        // The key map does not bind Tab, so that keyboard users can leave the editor with Tab.
        keymap.of([...completionKeymap, ...searchKeymap, ...foldKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': label,
          role: 'textbox',
          tabindex: '0',
          'aria-readonly': String(isReadOnly),
        }),
        EditorView.updateListener.of(({ docChanged, state: next }) => {
          const text = docChanged ? next.doc.toString() : latest.current.value;
          if (text !== latest.current.value) latest.current.onChange?.(text);
        }),
        EDITOR_THEME,
      ],
    });
    const editor = new EditorView({ root, parent: root, state });
    view.current = editor;
    // The editor is transparent until CodeMirror has measured the line height, because the lines move after the
    // measurement.
    box.style.opacity = '0';
    editor.requestMeasure({ read: () => undefined, write: () => void (box.style.opacity = '') });
    return () => editor.destroy();
  }, [label, isReadOnly, withoutHistory]);
  useEffect(() => {
    const editor = view.current;
    const changes = editor === null ? null : changeBetween(editor.state.doc.toString(), value);
    if (changes !== null) editor?.dispatch({ changes });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const text = editor.state.doc.toString();
    const diagnostics = problems.map(({ field, reason }) => ({
      ...placeOf(text, field),
      severity: 'error' as const,
      message: reason,
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [problems]);
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
