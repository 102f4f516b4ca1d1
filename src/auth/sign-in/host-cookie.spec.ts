import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { HostCookie } from './host-cookie.js';

const PLAIN = 'probe=value; Path=/; HttpOnly; SameSite=Strict; Max-Age=60';
const SECURE = '__Host-probe=value; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=60';

it.each([
  ['development', undefined, 'flows.example.com', PLAIN],
  ['production', 'https://flows.example.com', 'flows.example.com', SECURE],
  ['production', 'https://flows.example.com', '127.0.0.1:3000', SECURE],
  ['production', 'http://127.0.0.1:8080', '127.0.0.1:8080', PLAIN],
  ['production', undefined, 'flows.example.com', SECURE],
  ['production', undefined, '10.0.0.7:3000', SECURE],
  ['production', undefined, 'localhost.example.com', SECURE],
  ['production', undefined, undefined, SECURE],
  ['production', undefined, 'localhost:3000', PLAIN],
  ['production', undefined, '127.0.0.1:3000', PLAIN],
  ['production', undefined, '[::1]:3000', PLAIN],
] as const)(
  'with NODE_ENV %s and BASE_URL %s, the cookie for host %s is %s',
  (NODE_ENV, BASE_URL, host, expected) => {
    const cookie = new HostCookie('probe', 60, { NODE_ENV, BASE_URL });
    const request = new IncomingMessage(new Socket());
    if (host !== undefined) request.headers.host = host;
    const response = new ServerResponse(request);
    cookie.set(response, 'value');
    expect(response.getHeader('Set-Cookie')).toBe(expected);
    request.headers.cookie = `other=1; ${expected.slice(0, expected.indexOf(';'))}`;
    expect(cookie.read(request)).toBe('value');
  },
);

it('the service ignores a cookie without the prefix `__Host-` if BASE_URL is an https URL', () => {
  const cookie = new HostCookie('probe', 60, {
    NODE_ENV: 'production',
    BASE_URL: 'https://flows.example.com',
  });
  const request = new IncomingMessage(new Socket());
  request.headers.cookie = 'probe=value';
  expect(cookie.read(request)).toBeUndefined();
});
