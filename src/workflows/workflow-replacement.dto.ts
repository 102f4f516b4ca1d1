import { IgnoresReadOnly } from '../http/index.js';
import { WorkflowBody } from './workflow.dto.js';
import { WorkflowView } from './workflow.view.js';

/** What a client puts in the place of a workflow. */
@IgnoresReadOnly(() => WorkflowView)
export class ReplaceWorkflowBody extends WorkflowBody {}
