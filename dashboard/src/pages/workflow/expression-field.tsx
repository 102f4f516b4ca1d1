import { acceptCompletion, autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { EDITOR_THEME } from '../../editor/code-look.ts';
import { texts } from '../../texts/en/workflow.ts';
import { classes, CodeText } from '../../ui/index.ts';
import type { ExpressionContext } from './expression-completions.ts';
import { expressionSource } from './expression-source.ts';
import { ExpressionValue } from './expression-value.tsx';

const FIELD_THEME = EditorView.theme({
  '&': { height: 'auto', maxHeight: '220px', borderRadius: '6px' },
  '.cm-content': { padding: '6px 0' },
  '.cm-line': { padding: '0 10px' },
});

interface ExpressionFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /**
   * A condition is one expression without braces. A template is text that can contain expressions between `{{` and
   * `}}`.
   */
  readonly kind: 'template' | 'condition';
  readonly context: ExpressionContext;
  readonly problem?: string | undefined;
  readonly placeholder?: string;
  readonly readOnly?: boolean;
}

/**
 * Field for an expression, with completion and errors. Below the field is the value that the expression has for the
 * data of the last execution.
 */
export function ExpressionField(props: ExpressionFieldProps) {
  const { label, hint, required = false, problem, value, kind, context } = props;
  const [cursor, setCursor] = useState(0);
  const [diagnostics, setFound] = useState<readonly Diagnostic[]>([]);
  return (
    <div className="flex flex-col gap-1">
      <span className="font-medium" aria-hidden>
        {label}
        {!required && <span className="ml-1 font-normal text-text-3">{texts.optional}</span>}
      </span>
      <ExpressionEditor {...props} diagnostics={diagnostics} onCursor={setCursor} />
      {hint !== undefined && (
        <p className="text-small text-text-3">
          <CodeText text={hint} />
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className="text-small text-failed">
          {problem}
        </p>
      )}
      <ExpressionValue
        text={value}
        kind={kind}
        cursor={cursor}
        context={context}
        isSaid={problem !== undefined}
        onDiagnostics={setFound}
      />
    </div>
  );
}

interface ExpressionEditorProps extends ExpressionFieldProps {
  readonly diagnostics: readonly Diagnostic[];
  readonly onCursor: (position: number) => void;
}

function ExpressionEditor({
  label,
  value,
  onChange,
  kind,
  context,
  placeholder = '',
  readOnly = false,
  problem,
  diagnostics,
  onCursor,
}: ExpressionEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ value, onChange, context, onCursor });
  useEffect(() => {
    latest.current = { value, onChange, context, onCursor };
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
          autocompletion({
            override: [expressionSource(() => latest.current.context, kind)],
            icons: false,
            interactionDelay: 0,
          }),
          // If the list of completions is open, Tab accepts the selected completion. Otherwise Tab moves the focus out
          // of the field.
          keymap.of([...completionKeymap, { key: 'Tab', run: acceptCompletion }, ...defaultKeymap]),
          placeholderText(placeholder),
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, role: 'textbox', tabindex: '0' }),
          EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
            const text = docChanged ? state.doc.toString() : latest.current.value;
            if (text !== latest.current.value) latest.current.onChange(text);
            if (docChanged || selectionSet) latest.current.onCursor(state.selection.main.head);
          }),
          EDITOR_THEME,
          FIELD_THEME,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, kind, placeholder, readOnly]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const end = editor.state.doc.length;
    const within = diagnostics.map((each) => ({
      ...each,
      from: Math.min(each.from, end),
      to: Math.min(each.to, end),
    }));
    editor.dispatch(setDiagnostics(editor.state, within));
  }, [diagnostics]);
  return (
    <div
      ref={host}
      className={classes(
        'min-h-[32px] rounded-sm border bg-surface',
        problem === undefined ? 'border-control' : 'border-failed',
      )}
    />
  );
}
