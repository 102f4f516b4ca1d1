import { texts } from '../texts/en/shell.ts';
import { useAvailable } from '../ui/index.ts';

export function ServiceBar() {
  const available = useAvailable();
  return (
    <div role="status">
      {!available && (
        <p
          data-service-bar
          className="fixed inset-x-0 top-0 z-[60] flex h-8 items-center justify-center bg-waiting-soft font-medium text-waiting shadow-overlay"
        >
          {texts.serviceUnavailable}
        </p>
      )}
    </div>
  );
}
