import { texts } from '../../../texts/en/settings-api-keys.ts';
import type { Access, Scope } from './key-access.ts';
import { ACTIONS, PRESETS, RESOURCES, scopeOf } from './key-access.ts';

interface AccessFieldsProps {
  readonly access: Access;
  readonly scopes: readonly Scope[];
  readonly onChange: (access: Access, scopes: readonly Scope[]) => void;
  readonly error: string | undefined;
}

export function AccessFields({ access, scopes, onChange, error }: AccessFieldsProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{texts.access}</legend>
      <div className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
        {PRESETS.map((preset) => (
          <label
            key={preset.access}
            className="flex items-start gap-2 rounded-sm border border-border px-2.5 py-2 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="access"
              className="mt-1 accent-accent"
              checked={access === preset.access}
              onChange={() =>
                onChange(preset.access, preset.access === 'custom' ? customFrom(scopes) : preset.scopes)
              }
            />
            <span className="font-medium">
              {preset.label}
              <span className="block text-small font-normal text-text-3">{preset.hint}</span>
            </span>
          </label>
        ))}
      </div>
      {access === 'custom' && <Matrix scopes={scopes} onChange={(changed) => onChange('custom', changed)} />}
      {error !== undefined && (
        <p role="alert" className="mt-1 text-small text-failed">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/**
 * Initial scopes of the choice "custom": the scopes of the previous choice, or no scopes if the previous choice was
 * "full".
 */
function customFrom(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.includes('*') ? [] : scopes;
}

interface MatrixProps {
  readonly scopes: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

function Matrix({ scopes, onChange }: MatrixProps) {
  const toggle = (scope: Scope): void =>
    onChange(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <table aria-label={texts.permissions} className="mt-2 w-full">
      <thead>
        <tr>
          <th scope="col" className="label text-left">
            {texts.resource}
          </th>
          <th scope="col" className="label w-16 text-center">
            {texts.read}
          </th>
          <th scope="col" className="label w-16 text-center">
            {texts.write}
          </th>
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map(([resource, label]) => (
          <tr key={resource}>
            <th scope="row" className="border-t border-border py-1 text-left font-normal">
              {label}
            </th>
            {ACTIONS.map((action) => {
              const scope = scopeOf(resource, action);
              return (
                <td key={action} className="border-t border-border text-center">
                  {scope !== undefined && (
                    <input
                      type="checkbox"
                      aria-label={`${label}: ${action}`}
                      className="checkbox mx-auto"
                      checked={scopes.includes(scope)}
                      onChange={() => toggle(scope)}
                    />
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
