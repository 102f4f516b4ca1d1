/** Shows a name in at most two lines. A tooltip shows the full name. */
export function NameText({ name }: { readonly name: string }) {
  return (
    <span title={name} className="line-clamp-2 min-w-20 font-medium wrap-anywhere">
      {name}
    </span>
  );
}
