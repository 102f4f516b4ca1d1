import { describe, expect, it } from 'vitest';
import { MAX_SHAPED, messageShape } from './message-shape.js';

describe('messageShape', () => {
  it.each([
    ['The server answered 503.', 'The server answered <number>.'],
    ['Timeout after 1500 ms', 'Timeout after <number> ms'],
    ['No order "A-17" in \'north\' or `x`', 'No order <text> in <text> or <text>'],
    ["It can't be read and doesn't exist", "It can't be read and doesn't exist"],
    ['Execution 0199a8c0-2222-7abc-8def-0123456789ab ended', 'Execution <id> ended'],
    ['Order ord_8f3a2b9c1d is unknown', 'Order <id> is unknown'],
    ['GET https://a.example/x?y=1 failed', 'GET <url> failed'],
    ['connect ECONNREFUSED 127.0.0.1:8080', 'connect ECONNREFUSED <address>:<number>'],
    ['  two\n lines ', 'two lines'],
    ['no variable part', 'no variable part'],
    ['a-b-c- -1- x-2-', 'a-b-c- -<number>- <number>-'],
    ['', ''],
  ])('the shape of the message "%s" is "%s"', (message, shape) => {
    expect(messageShape(message)).toBe(shape);
  });

  it('two error messages that differ only in their variable parts have the same shape', () => {
    expect(messageShape('Card "4711" refused after 3 tries')).toBe(
      messageShape('Card "12" refused after 10 tries'),
    );
  });

  it('the shape of a long error message is truncated, but never inside a character', () => {
    expect(messageShape('a'.repeat(10_000))).toHaveLength(MAX_SHAPED);
    expect(messageShape(`${'a'.repeat(MAX_SHAPED - 1)}😀`).isWellFormed()).toBe(true);
  });
});
