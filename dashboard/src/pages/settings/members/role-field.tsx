import { texts } from '../../../texts/en/settings-members.ts';
import { Field, Select } from '../../../ui/index.ts';
import { type Role, ROLES } from './roles.ts';

interface RoleFieldProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly fault: string | undefined;
}

export function RoleField({ value: chosen, onChange, fault }: RoleFieldProps) {
  return (
    <Field label={texts.role} required error={fault}>
      <Select value={chosen} onChange={(event) => onChange(event.target.value as Role)}>
        {ROLES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}
