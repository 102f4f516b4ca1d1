import { ApiError } from '../../../api/index.ts';

export interface SecretUser {
  readonly type: 'workflow' | 'hook' | 'webhook';
  readonly id: string;
  readonly name: string;
}

/**
 * The resources that use a secret, from the error with which the service refuses to delete the secret. Null for other
 * errors.
 */
export function usersOf(error: unknown): readonly SecretUser[] | null {
  if (!(error instanceof ApiError) || error.code !== 'secret_in_use') return null;
  const { used_by: users } = error.details;
  return Array.isArray(users) ? users.filter(isUser) : [];
}

function isUser(value: unknown): value is SecretUser {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    'id' in value &&
    'name' in value &&
    (value.type === 'workflow' || value.type === 'hook' || value.type === 'webhook') &&
    typeof value.id === 'string' &&
    typeof value.name === 'string'
  );
}
