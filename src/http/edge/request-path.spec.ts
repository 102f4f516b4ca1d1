import { expect, it } from 'vitest';
import { basePathOf, pathOf, withoutBasePath } from './request-path.js';

it.each([
  ['/v1/workflows?limit=1&q=a?b', '/v1/workflows'],
  ['/v1/workflows', '/v1/workflows'],
  ['?limit=1', ''],
])('`pathOf` returns the path of the request target %s', (target, path) => {
  expect(pathOf(target)).toBe(path);
});

it.each([
  [undefined, ''],
  ['https://flows.example.com', ''],
  ['https://flows.example.com/', ''],
  ['https://example.com/flows', '/flows'],
  ['https://example.com/tools/flows/', '/tools/flows'],
])('`basePathOf` returns the path of the URL %s', (baseUrl, path) => {
  expect(basePathOf(baseUrl)).toBe(path);
});

it.each([
  ['/flows/v1/workflows?limit=1', '/v1/workflows?limit=1'],
  ['/flows', '/'],
  ['/flows/', '/'],
  ['/flows?a=1', '/?a=1'],
  ['/v1/workflows', '/v1/workflows'],
  ['/flowsheets/v1', '/flowsheets/v1'],
  ['/Flows/v1', '/Flows/v1'],
  ['/flows/flows/v1', '/flows/v1'],
])('`withoutBasePath` removes the path /flows from %s', (target, rest) => {
  expect(withoutBasePath(target, '/flows')).toBe(rest);
});
