import { texts } from '../texts/en/shell.ts';
export function Brand() {
  return (
    <span className="flex items-center gap-2 font-semibold">
      <span aria-hidden className="size-[18px] rounded-[5px] bg-accent" />
      {texts.productName}
    </span>
  );
}
