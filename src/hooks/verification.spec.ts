import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type SignedRequest, type Verification, verificationFault } from './verification.js';

const NOW = Date.parse('2026-11-24T12:00:00.000Z');
const NOW_SECONDS = NOW / 1_000;

function signed(body: string | Buffer, headers: Readonly<Record<string, string>>): SignedRequest {
  return {
    rawBody: Buffer.from(body),
    headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}

function codeOf(
  verification: Verification,
  request: SignedRequest,
  secret: string,
  nowMs = NOW,
): string | undefined {
  return verificationFault(verification, request, secret, nowMs)?.code;
}

describe('GitHub verification', () => {
  const GITHUB: Verification = { type: 'github', secret: 'GITHUB' };
  // Example from GitHub's documentation page "Validating webhook deliveries".
  const SECRET = "It's a Secret to Everybody";
  const BODY = 'Hello, World!';
  const SIGNATURE = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  it('GitHub verification accepts the example signature from the documentation of GitHub', () => {
    expect(codeOf(GITHUB, signed(BODY, { 'X-Hub-Signature-256': SIGNATURE }), SECRET)).toBeUndefined();
  });

  it.each([
    ['another body', 'Hello, World?', SIGNATURE],
    ['a truncated signature', BODY, SIGNATURE.slice(0, -1)],
    ['a signature without its prefix', BODY, SIGNATURE.slice('sha256='.length)],
    ['an empty signature', BODY, ''],
  ])('GitHub verification refuses %s', (_what, body, signature) => {
    const request = signed(body, { 'X-Hub-Signature-256': signature });
    expect(codeOf(GITHUB, request, SECRET)).toBe('signature_invalid');
  });

  it('GitHub verification refuses a request with only the SHA-1 header', () => {
    expect(codeOf(GITHUB, signed(BODY, {}), SECRET)).toBe('signature_missing');
    const sha1 = `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}`;
    expect(codeOf(GITHUB, signed(BODY, { 'X-Hub-Signature': sha1 }), SECRET)).toBe('signature_missing');
  });

  it('GitHub verification computes the signature from the raw body', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x7b]);
    const signature = `sha256=${createHmac('sha256', SECRET).update(bytes).digest('hex')}`;
    expect(codeOf(GITHUB, signed(bytes, { 'X-Hub-Signature-256': signature }), SECRET)).toBeUndefined();
  });
});

describe('Stripe verification', () => {
  const STRIPE: Verification = { type: 'stripe', secret: 'STRIPE', tolerance_seconds: 300 };
  const SECRET = 'whsec_test_secret';
  const BODY = '{"id":"evt_test_webhook","object":"event"}';
  const signature = (seconds: number, body = BODY, secret = SECRET): string =>
    createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const header = (value: string): SignedRequest => signed(BODY, { 'Stripe-Signature': value });

  it('Stripe verification accepts a v1 signature next to other signatures', () => {
    const v1 = signature(NOW_SECONDS);
    expect(codeOf(STRIPE, header(`t=${NOW_SECONDS},v1=${v1}`), SECRET)).toBeUndefined();
    expect(
      codeOf(STRIPE, header(`t=${NOW_SECONDS},v1=${'0'.repeat(64)},v1=${v1},v0=x`), SECRET),
    ).toBeUndefined();
  });

  it.each([
    [-300, undefined],
    [300, undefined],
    [-301, 'signature_expired'],
    [301, 'signature_expired'],
  ])('Stripe verification of a timestamp %i seconds from now returns the error %s', (difference, code) => {
    const seconds = NOW_SECONDS + difference;
    expect(codeOf(STRIPE, header(`t=${seconds},v1=${signature(seconds)}`), SECRET)).toBe(code);
  });

  it.each([
    ['an unsigned timestamp', `t=${NOW_SECONDS},v1=${signature(NOW_SECONDS - 900)}`],
    ['only a signature of scheme v0', `t=${NOW_SECONDS},v0=${signature(NOW_SECONDS)}`],
    ['no timestamp', `v1=${signature(NOW_SECONDS)}`],
    ['another secret', `t=${NOW_SECONDS},v1=${signature(NOW_SECONDS, BODY, 'other')}`],
    ['a header that is not a list', 'x'],
  ])('Stripe verification refuses %s', (_what, value) => {
    expect(codeOf(STRIPE, header(value), SECRET)).toBe('signature_invalid');
  });

  it('Stripe verification refuses a timestamp that is not a number', () => {
    const v1 = createHmac('sha256', SECRET).update(`NaN.${BODY}`).digest('hex');
    expect(codeOf(STRIPE, header(`t=NaN,v1=${v1}`), SECRET)).toBe('signature_expired');
  });
});

describe('Standard Webhooks verification', () => {
  const STANDARD: Verification = { type: 'standard_webhooks', secret: 'STANDARD', tolerance_seconds: 300 };
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const BODY = '{"test": 2432232314}';

  // Examples from the reference libraries of Standard Webhooks and from the documentation of Svix.
  it.each([
    {
      secret: SECRET,
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: BODY,
      signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    {
      secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
      id: 'msg_loFOjxBNrRLzqYUf',
      timestamp: 1_731_705_121,
      body: '{"event_type":"ping","data":{"success":true}}',
      signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    },
  ])(
    'Standard Webhooks verification accepts the published example $id',
    ({ secret, id, timestamp, body, signature }) => {
      const request = signed(body, {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      });
      expect(codeOf(STANDARD, request, secret, timestamp * 1_000)).toBeUndefined();
    },
  );

  it('Standard Webhooks verification refuses every signature if the secret contains no key', () => {
    const signature = createHmac('sha256', '').update(`msg_1.${NOW_SECONDS}.${BODY}`).digest('base64');
    const request = signed(BODY, {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(NOW_SECONDS),
      'webhook-signature': `v1,${signature}`,
    });
    expect(codeOf(STANDARD, request, 'whsec_')).toBe('signature_invalid');
  });

  it('Standard Webhooks verification accepts signatures of the package standardwebhooks', () => {
    const at = new Date(NOW);
    const signature = new Webhook(SECRET).sign('msg_1', at, BODY);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(NOW_SECONDS),
      'webhook-signature': `v1a,ignored v1,AAAA ${signature}`,
    };
    expect(codeOf(STANDARD, signed(BODY, headers), SECRET)).toBeUndefined();
    expect(codeOf(STANDARD, signed(BODY, { ...headers, 'webhook-id': 'msg_2' }), SECRET)).toBe(
      'signature_invalid',
    );
    expect(codeOf(STANDARD, signed(`${BODY} `, headers), SECRET)).toBe('signature_invalid');
    expect(codeOf(STANDARD, signed(BODY, headers), SECRET, NOW + 300_000)).toBeUndefined();
    expect(codeOf(STANDARD, signed(BODY, headers), SECRET, NOW + 301_000)).toBe('signature_expired');
    expect(codeOf(STANDARD, signed(BODY, headers), SECRET, NOW - 301_000)).toBe('signature_expired');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'Standard Webhooks verification requires the header %s',
    (name) => {
      const headers: Record<string, string> = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(NOW_SECONDS),
        'webhook-signature': new Webhook(SECRET).sign('msg_1', new Date(NOW), BODY),
      };
      delete headers[name];
      expect(codeOf(STANDARD, signed(BODY, headers), SECRET)).toBe('signature_missing');
    },
  );
});

describe('HMAC verification', () => {
  // Published examples of HMAC signatures: test case 2 of RFC 4231 and test case 2 of RFC 2202.
  const SECRET = 'Jefe';
  const BODY = 'what do ya want for nothing?';
  const of = (fields: object): Verification => ({
    ...{ type: 'hmac', secret: 'S', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex', prefix: '' },
    ...fields,
  });

  it.each([
    [{}, '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
    [{}, '5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843'],
    [{ algorithm: 'sha1' }, 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
    [{ encoding: 'base64' }, 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM='],
    [
      { algorithm: 'sha512', prefix: 'sha512=' },
      'sha512=164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    ],
  ])('HMAC verification with %j accepts the signature of the published test case', (fields, signature) => {
    expect(codeOf(of(fields), signed(BODY, { 'x-signature': signature }), SECRET)).toBeUndefined();
    expect(codeOf(of(fields), signed(`${BODY}!`, { 'x-signature': signature }), SECRET)).toBe(
      'signature_invalid',
    );
  });

  it('HMAC verification compares base64 case-sensitively', () => {
    const request = signed(BODY, { 'x-signature': 'w9ZbRR9GDu5QbcqMcjv1X1OaPWIDjZMdNEXyUwtSoem=' });
    expect(codeOf(of({ encoding: 'base64' }), request, SECRET)).toBe('signature_invalid');
  });
});

describe('bearer verification of hooks', () => {
  const BEARER: Verification = {
    type: 'bearer',
    secret: 'S',
    header: 'Authorization',
    prefix: 'Bearer ',
  };
  it.each([
    ['Bearer s3cret', undefined],
    ['Bearer s3cret ', 'signature_invalid'],
    ['s3cret', 'signature_invalid'],
    ['Bearer', 'signature_invalid'],
  ])('bearer verification of the header %j returns the error %s', (authorization, code) => {
    expect(codeOf(BEARER, signed('', { authorization }), 's3cret')).toBe(code);
  });

  it('bearer verification reads the token from the header that the hook configures', () => {
    const gitlab: Verification = { ...BEARER, header: 'X-Gitlab-Token', prefix: '' };
    expect(codeOf(gitlab, signed('', { 'x-gitlab-token': 's3cret' }), 's3cret')).toBeUndefined();
    expect(codeOf(gitlab, signed('', { authorization: 'Bearer s3cret' }), 's3cret')).toBe(
      'signature_missing',
    );
  });
});

describe('basic verification of hooks', () => {
  // Example of HTTP basic authentication from RFC 7617, section 2.
  it.each([
    ['Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', undefined],
    ['basic  QWxhZGRpbjpvcGVuIHNlc2FtZQ==', undefined],
    ['Basic QWxhZGRpbjpvcGVuIHNlc2FtZR==', 'signature_invalid'],
    ['Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==', 'signature_invalid'],
  ])(
    'verification of HTTP basic authentication with the header %j returns the error %s',
    (authorization, code) => {
      const basic: Verification = { type: 'basic', secret: 'S' };
      expect(codeOf(basic, signed('', { authorization }), 'Aladdin:open sesame')).toBe(code);
    },
  );
});

it('a hook with the verification `none` accepts any request', () => {
  expect(codeOf({ type: 'none' }, signed('x', {}), '')).toBeUndefined();
});
