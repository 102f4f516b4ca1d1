import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { newSigningSecret, signedHeaders } from '../../src/webhooks/signing.js';

/** A verifier of the specification's text, written without its libraries. Exits with 0 if one signature matches. */
const VERIFIER = `
import base64, hashlib, hmac, sys
secret, id, timestamp, signatures = sys.argv[1:5]
body = sys.stdin.buffer.read()
key = base64.b64decode(secret.removeprefix('whsec_'))
signed = f'{id}.{timestamp}.'.encode() + body
expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
given = [each.split(',', 1)[1] for each in signatures.split(' ') if each.startswith('v1,')]
sys.exit(0 if any(hmac.compare_digest(expected, each) for each in given) else 1)
`;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const BODY = JSON.stringify({ type: 'workflow.completed', data: { text: 'é 😀 "quoted"' } });

function isAccepted(secret: string, headers: ReturnType<typeof signedHeaders>, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
  return spawnSync('python3', ['-c', VERIFIER, secret, id, at, signature], { input: body }).status === 0;
}

describe('signatures of webhooks', () => {
  it('equal the example that Standard Webhooks publishes', () => {
    const headers = signedHeaders(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330_000,
      '{"test": 2432232314}',
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.runIf(hasPython)('are accepted by a verifier in Python, and only for the signed body', () => {
    const secret = newSigningSecret();
    const headers = signedHeaders([secret], 'id-1', Date.now(), BODY);
    expect(isAccepted(secret, headers, BODY)).toBe(true);
    expect(isAccepted(secret, headers, `${BODY} `)).toBe(false);
    expect(isAccepted(newSigningSecret(), headers, BODY)).toBe(false);
  });

  it.runIf(hasPython)('of two secrets are accepted with either of them', () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    const headers = signedHeaders(secrets, 'id-1', Date.now(), BODY);
    expect(secrets.map((secret) => isAccepted(secret, headers, BODY))).toEqual([true, true]);
  });
});
