import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { EvaluateExpressionBody, EvaluationView } from './authoring.dto.js';
import { evaluateExpression } from './expression-evaluation.js';

@ApiTags('workflows')
@Controller('v1/expressions')
export class ExpressionsController {
  /**
   * Evaluates an expression on the data in the request, within the same limits as in an execution. The expression
   * cannot read executions or secrets. If the evaluation fails, the response is 200 with `error`.
   */
  @Post('evaluate')
  @HttpCode(200)
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'Evaluate an expression', operationId: 'evaluateExpression' })
  @ApiAnswers({
    200: {
      description:
        'The value of the expression. If the expression has no value, `error` contains the reason.',
      type: EvaluationView,
    },
  })
  evaluate(@Body() { expression, scope = {} }: EvaluateExpressionBody): EvaluationView {
    const evaluation = evaluateExpression(expression, scope);
    if (evaluation.ok) return { value: evaluation.value };
    const { code, message, position, path } = evaluation;
    return { value: null, error: { code, message, position, path } };
  }
}
