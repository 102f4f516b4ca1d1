import { Injectable } from '@nestjs/common';
import { ValidationError } from '../errors/index.js';
import { Secrets } from '../secrets/index.js';
import { requireTemplates } from './hook-templates.js';
import type { Hook } from './hook.js';

@Injectable()
export class HookChecks {
  constructor(private readonly secrets: Secrets) {}

  /**
   * @param current the hook before the change; an unchanged secret is not looked up again
   *
   * @throws ValidationError for an invalid combination of fields, an invalid template or an unknown secret
   */
  async require(hook: Hook, current?: Hook): Promise<void> {
    requireFields(hook);
    requireTemplates(hook);
    const { verification, projectId } = hook;
    if (verification.type === 'none' || current?.verification === verification) return;
    const known = await this.secrets.existing(projectId, [verification.secret]);
    if (!known.has(verification.secret))
      throw ValidationError.of(
        'verification.secret',
        'unknown_secret',
        `must be the name of a secret of the project; ${verification.secret} does not exist`,
      );
  }
}

function requireFields({ action, workflowId, signal, respond }: Hook): void {
  if (action === 'start') {
    if (workflowId === null)
      throw ValidationError.of('workflow_id', 'required', 'is required if action is start');
    if (signal !== null)
      throw ValidationError.of('signal', 'not_of_action', 'is allowed only if action is signal');
    return;
  }
  if (signal === null) throw ValidationError.of('signal', 'required', 'is required if action is signal');
  if (respond === 'output')
    throw ValidationError.of('respond', 'not_of_action', 'must be "accepted" if action is signal');
}
