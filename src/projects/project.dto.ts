import { OptionalChoice, OptionalText, Text } from '../fields/index.js';
import { MAX_PROJECT_NAME_LENGTH } from './project.js';

const MAX_DESCRIPTION_LENGTH = 10_000;

export class CreateProjectBody {
  /** Name of the project. Names need not be unique. */
  @Text({ minLength: 1, maxLength: MAX_PROJECT_NAME_LENGTH, example: 'Billing' })
  name: string;

  @OptionalText({ maxLength: MAX_DESCRIPTION_LENGTH, nullable: true, example: null })
  description?: string | null;
}

/** The changeable fields of a project; omitted fields keep their values. */
export class ChangeProjectBody {
  @OptionalText({ minLength: 1, maxLength: MAX_PROJECT_NAME_LENGTH, example: 'Billing' })
  name?: string;

  @OptionalText({ maxLength: MAX_DESCRIPTION_LENGTH, nullable: true, example: 'Invoices' })
  description?: string | null;
}

export class DeleteProjectQuery {
  /**
   * With `true`, unfinished executions are cancelled instead of preventing the deletion. Requires `executions:write`.
   */
  @OptionalChoice({ enum: ['true', 'false'], default: 'false' })
  cancel?: 'true' | 'false';
}
