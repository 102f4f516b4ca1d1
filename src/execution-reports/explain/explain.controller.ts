import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers, IdParam } from '../../http/index.js';
import { Explanations } from './explanations.js';
import { explanationView, ExplanationView } from './explanation.view.js';

@ApiTags('executions')
@Controller('v1/executions')
export class ExplainController {
  constructor(private readonly explanations: Explanations) {}

  /**
   * Explains what an execution is doing, or why the execution does not continue. The explanation contains the cause,
   * since when the cause applies, and what resolves the cause.
   */
  @Get(':id/explain')
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Explain the state of an execution' })
  @ApiAnswers({
    200: { description: 'The explanation of the state of the execution.', type: ExplanationView },
  })
  async explain(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<ExplanationView> {
    const { execution, explained } = await this.explanations.of(principal, id);
    return explanationView(execution, explained);
  }
}
