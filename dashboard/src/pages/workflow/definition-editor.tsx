import { autocompletion } from '@codemirror/autocomplete';
import { hoverTooltip } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { JsonEditor, type JsonEditorProps } from '../../editor/json-editor.tsx';
import { type Assist, definitionHover, definitionSource } from './definition-assist.ts';

interface DefinitionEditorProps extends Omit<JsonEditorProps, 'extensions'> {
  /** Data for completion and descriptions; null while the data loads. */
  readonly assist?: Assist | null;
}

/** JSON editor for the definition of a workflow, with completion and descriptions of fields. */
export function DefinitionEditor({ assist = null, ...props }: DefinitionEditorProps) {
  const latest = useRef(assist);
  useEffect(() => {
    latest.current = assist;
  });
  const read = (): Assist | null => latest.current;
  return (
    <JsonEditor
      {...props}
      extensions={() => [
        autocompletion({ override: [definitionSource(read)], icons: false }),
        hoverTooltip(definitionHover(read)),
      ]}
    />
  );
}
