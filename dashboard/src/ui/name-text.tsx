/** A name that somebody gave: two lines of it at most, whatever it is made of; the rest in a tooltip. */
export function NameText({ name }: { readonly name: string }) {
  return (
    <span title={name} className="line-clamp-2 min-w-20 font-medium wrap-anywhere">
      {name}
    </span>
  );
}
