/** Shows a text from the API, in which backticks mark code. */
export function CodeText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The index is a stable React key, because the parts of the text never change their order.
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}
