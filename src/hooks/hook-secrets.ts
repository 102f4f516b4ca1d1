import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';

/** Values of the secrets of a project, by name. */
export interface HookSecretsAdapter {
  /** Null where the project has no such secret. */
  valueOf(projectId: string, name: string): Promise<string | null>;
}

@Injectable()
export class HookSecrets extends Port<HookSecretsAdapter> {}
