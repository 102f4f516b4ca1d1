/**
 * Vitest's reporter for `test.mjs`: writes failures and skipped tests as JSON to the file that TEST_REPORT names: `{
 * passed, failures: [{ name, message }], skipped: [name] }`. A failure is a test, a hook, a file that does not load, or
 * an error outside of all of them.
 */
import { writeFileSync } from 'node:fs';

export default class TestReporter {
  onTestRunEnd(modules, unhandled) {
    const failures = unhandled.map((error) => failure('outside of any test', error));
    const skipped = [];
    let passed = 0;
    for (const module of modules) {
      const name = (part) => `${module.relativeModuleId}: ${part.fullName}`;
      failures.push(...module.errors().map((error) => failure(module.relativeModuleId, error)));
      for (const suite of module.children.allSuites())
        failures.push(...suite.errors().map((error) => failure(name(suite), error)));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failures.push(failure(name(test), errors[0]));
        else skipped.push(name(test));
      }
    }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passed, failures, skipped }));
  }
}

function failure(name, error) {
  return { name, message: error?.message ?? '' };
}
