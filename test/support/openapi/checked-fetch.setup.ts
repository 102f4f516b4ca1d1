import { afterEach, expect } from 'vitest';
import { checkedFetch, forgetServers, takeFaults } from './checked-fetch.js';

/**
 * Replaces `fetch` in all tests, so that each response of the service is compared with `/openapi.json` of the
 * service. A test fails at its end if a response differs. Vitest runs this code for each test file, even if
 * test files share a process.
 */
globalThis.fetch = checkedFetch;
forgetServers();

afterEach(async () => {
  expect(await takeFaults(), 'Responses that differ from /openapi.json').toEqual([]);
});
