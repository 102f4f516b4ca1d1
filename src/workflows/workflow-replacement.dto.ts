import { IgnoresReadOnly } from '../http/index.js';
import { WorkflowBody } from './workflow.dto.js';
import { WorkflowView } from './workflow.view.js';

/** Body of a PUT request: the document that replaces a workflow. */
@IgnoresReadOnly(() => WorkflowView)
export class ReplaceWorkflowBody extends WorkflowBody {}
