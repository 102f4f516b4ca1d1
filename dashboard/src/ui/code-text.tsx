/** A text of the API, in which backticks mark code. */
export function CodeText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts never change their order.
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}
