import { texts } from '../../texts/en/schedules.ts';
import { type Draft, draftOf, type InputShape, readDraft } from '../../ui/input-shape.ts';

export type InputView = 'form' | 'json';

/** The input of a schedule while the user edits it as JSON text or in a form. */
export interface InputDraft {
  readonly text: string;
  /** Values of the form; null until the user changes the form. */
  readonly form: Draft | null;
  /** The view that the user chose. Null selects the form if a form can show the input, otherwise JSON. */
  readonly view: InputView | null;
}

/** Error messages for the input of a schedule, by path in the request body. */
export type InputFaults = Readonly<Record<string, string>>;

export function newInput(text: string): InputDraft {
  return { text, form: null, view: null };
}

/**
 * Whether a form can represent the JSON text without losing members of objects or changing types.
 * @param shape undefined if the workflow has no schema that a form can represent
 */
export function isShownByForm(shape: InputShape | undefined, text: string): shape is InputShape {
  if (shape === undefined) return false;
  if (text.trim() === '') return true;
  const value = parsed(text);
  return value !== undefined && isSame(readDraft(shape, draftOf(shape, value)).value, value);
}

export function viewOf(shape: InputShape | undefined, input: InputDraft): InputView {
  if (shape === undefined || input.view === 'json') return 'json';
  return input.form !== null || isShownByForm(shape, input.text) ? 'form' : 'json';
}

export function formOf(shape: InputShape, { text, form }: InputDraft): Draft {
  return form ?? (text.trim() === '' ? draftOf(shape) : draftOf(shape, parsed(text)));
}

/** Switches between the form and JSON. A switch to JSON drops the values of form fields that cannot be parsed. */
export function inView(shape: InputShape, input: InputDraft, view: InputView): InputDraft {
  if (viewOf(shape, input) === view) return input;
  if (view === 'form') return { ...input, form: null, view };
  return { text: textOf(readDraft(shape, formOf(shape, input)).value), form: null, view };
}

/** The input of a schedule as JSON text, with an error for each form field that cannot be parsed. */
export function readInput(
  shape: InputShape | undefined,
  input: InputDraft,
): { readonly text: string; readonly faults: InputFaults } {
  if (shape !== undefined && viewOf(shape, input) === 'form') {
    const { value, faults } = readDraft(shape, formOf(shape, input));
    return { text: textOf(value), faults };
  }
  const isJson = input.text.trim() === '' || parsed(input.text) !== undefined;
  return { text: input.text, faults: isJson ? {} : { input: texts.inputNotJson } };
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : each,
    );
  return sorted(a) === sorted(b);
}
