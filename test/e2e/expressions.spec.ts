import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKeyOf, newPerson } from '../support/people.js';
import { TestService } from '../support/service.js';

Logger.overrideLogger(false);

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service?.stop());

const evaluate = (body: object, options = {}) => service.post('/v1/expressions/evaluate', body, options);

describe('POST /v1/expressions/evaluate', () => {
  it('POST /v1/expressions/evaluate returns the value of the expression on the given data', async () => {
    const { status, body } = await evaluate({
      expression: 'nodes.load.output.total > input.limit && session.state.open',
      scope: {
        input: { limit: 10 },
        nodes: { load: { output: { total: 12 } } },
        session: { state: { open: true } },
      },
    });
    expect([status, body]).toEqual([200, { value: true }]);
  });

  it('the evaluation of an expression with a syntax error returns 200 and the position of the error', async () => {
    const { status, body } = await evaluate({ expression: '1 + (2', scope: {} });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      value: null,
      error: { code: 'expression_syntax', position: 6, path: null },
    });
  });

  it('the evaluation of an expression names the path of data that is missing', async () => {
    const { body } = await evaluate({ expression: 'input.a.b', scope: { input: { a: {} } } });
    expect(body.error).toMatchObject({ code: 'expression_error', path: 'input.a.b', position: 0 });
  });

  it.each([
    [{}],
    [{ expression: 5 }],
    [{ expression: 'x'.repeat(4_097) }],
    [{ expression: '1', scope: [] }],
    [{ expression: '1', more: 1 }],
  ])('the service responds 400 to the invalid evaluation request %j', async (body) => {
    const { status, body: answer } = await evaluate(body);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ error: { type: 'validation_error' } });
  });

  it('the evaluation of an expression requires the scope workflows:read', async () => {
    const { id, teamId } = await newPerson(service, 'member');
    const { secret } = await newKeyOf(service, { id, teamId, role: 'member' }, { scopes: ['events:read'] });
    const { status, body } = await evaluate({ expression: '1' }, { key: secret });
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: { details: { required_scope: 'workflows:read' } } });
  });
});
