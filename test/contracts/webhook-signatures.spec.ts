import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { verificationFault } from '../../src/hooks/verification.js';
import { newSigningSecret, signedHeaders } from '../../src/webhooks/signing.js';

/**
 * Programs in Python and Perl, written from the text of the Standard Webhooks specification, without its libraries.
 * Standard input is the body. `verify` exits with code 0 if one signature matches. `sign` prints a signature.
 */
const PYTHON = `
import base64, hashlib, hmac, sys
what, secret, id, timestamp, signatures = sys.argv[1:6]
body = sys.stdin.buffer.read()
key = base64.b64decode(secret.removeprefix('whsec_'))
signed = f'{id}.{timestamp}.'.encode() + body
expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
if what == 'sign':
    print(f'v1,{expected}')
else:
    given = [each.split(',', 1)[1] for each in signatures.split(' ') if each.startswith('v1,')]
    sys.exit(0 if any(hmac.compare_digest(expected, each) for each in given) else 1)
`;
const PERL = `
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256);
use MIME::Base64 qw(decode_base64 encode_base64);
my ($what, $secret, $id, $timestamp, $signatures) = @ARGV;
my $body = do { local $/; binmode STDIN; <STDIN> };
my $key = decode_base64($secret =~ s/^whsec_//r);
my $expected = 'v1,' . encode_base64(hmac_sha256(join('.', $id, $timestamp, $body), $key), '');
if ($what eq 'sign') { print $expected } else { exit((grep { $_ eq $expected } split / /, $signatures) ? 0 : 1) }
`;
const LANGUAGES = [
  { language: 'Python', command: ['python3', '-c', PYTHON], probe: ['python3', '--version'] },
  { language: 'Perl', command: ['perl', '-e', PERL, '--'], probe: ['perl', '-MDigest::SHA', '-e', '1'] },
].map(({ language, command: [program = '', ...words], probe: [name = '', ...rest] }) => ({
  language,
  isInstalled: spawnSync(name, rest).status === 0,
  run: (input: string, ...parameters: readonly string[]) =>
    spawnSync(program, [...words, ...parameters], { input, encoding: 'utf8' }),
}));
const BODY = JSON.stringify({ type: 'workflow.completed', data: { text: 'é 😀 "quoted"' } });

/** Examples from the documentation of Standard Webhooks: secret, id, time in seconds, body and signature. */
const PUBLISHED = [
  [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330,
    '{"test": 2432232314}',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ],
  [
    'whsec_plJ3nmyCDGBKInavdOK15jsl',
    'msg_loFOjxBNrRLzqYUf',
    1_731_705_121,
    '{"event_type":"ping","data":{"success":true}}',
    'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  ],
] as const;

describe('the signatures that webhooks send', () => {
  it.each(PUBLISHED)(
    'a webhook computes the published signature of Standard Webhooks for secret %s and id %s',
    (secret, id, seconds, body, signature) => {
      expect(signedHeaders([secret], id, seconds * 1_000, body)).toEqual({
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signature,
      });
    },
  );
});

describe('the published signatures at a hook', () => {
  it.each(PUBLISHED)(
    'a hook accepts the published signature of Standard Webhooks for secret %s and id %s',
    (secret, id, seconds, body, signature) => {
      expect(faultOf(secret, id, seconds, body, signature)).toBeUndefined();
      expect(faultOf(secret, id, seconds, `${body} `, signature)).toBe('signature_invalid');
    },
  );
});

/**
 * Verifies a request as a hook with verification `standard_webhooks` does.
 * @returns the error code; undefined if the signature is valid
 */
function faultOf(
  secret: string,
  id: string,
  seconds: number,
  body: string,
  signature: string,
): string | undefined {
  const headers = new Map([
    ['webhook-id', id],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', signature],
  ]);
  return verificationFault(
    { type: 'standard_webhooks', secret: 'SECRET', tolerance_seconds: 300 },
    { rawBody: Buffer.from(body), headers },
    secret,
    seconds * 1_000,
  )?.code;
}

describe.each(LANGUAGES)('signatures verified and made in $language', ({ isInstalled, run }) => {
  const accepts = (secret: string, headers: ReturnType<typeof signedHeaders>, body: string): boolean => {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
    return run(body, 'verify', secret, id, at, signatures).status === 0;
  };

  it.skipIf(!isInstalled)(
    'a receiver in another programming language accepts a webhook signature only with the signed body and the right secret',
    () => {
      const secret = newSigningSecret();
      const headers = signedHeaders([secret], 'id-1', Date.now(), BODY);
      expect(accepts(secret, headers, BODY)).toBe(true);
      expect(accepts(secret, headers, `${BODY} `)).toBe(false);
      expect(accepts(newSigningSecret(), headers, BODY)).toBe(false);
    },
  );

  it.skipIf(!isInstalled)(
    'a receiver in another programming language accepts a webhook with two signatures with either of the two signing secrets',
    () => {
      const secrets = [newSigningSecret(), newSigningSecret()];
      const headers = signedHeaders(secrets, 'id-1', Date.now(), BODY);
      expect(secrets.map((secret) => accepts(secret, headers, BODY))).toEqual([true, true]);
    },
  );

  it.skipIf(!isInstalled)(
    'a hook accepts a request that a program in another language signed, but only with the secret of the hook',
    () => {
      const secret = newSigningSecret();
      const seconds = 1_795_000_000;
      const sign = (key: string): string => run(BODY, 'sign', key, 'id-1', String(seconds), '').stdout.trim();
      expect(faultOf(secret, 'id-1', seconds, BODY, sign(secret))).toBeUndefined();
      expect(faultOf(secret, 'id-1', seconds, BODY, sign(newSigningSecret()))).toBe('signature_invalid');
    },
  );
});
