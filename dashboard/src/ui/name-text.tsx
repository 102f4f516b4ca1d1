/** A user-defined name, cut after two lines; a tooltip shows all of it. */
export function NameText({ name }: { readonly name: string }) {
  return (
    <span title={name} className="line-clamp-2 min-w-20 font-medium wrap-anywhere">
      {name}
    </span>
  );
}
