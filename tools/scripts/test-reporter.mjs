/**
 * Vitest reporter that writes a JSON report to the file in the variable TEST_REPORT: `{ passed, failures: [{ name,
 * message }], repeated: [{ name, message }], skipped: [name], slowest: [{ name, seconds }] }`. `repeated` contains
 * tests that failed at first and passed when they were repeated.
 */
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Number of test files to list in the field `slowest` of the report. */
const SLOWEST = 15;

export default class TestReporter {
  onTestRunEnd(modules, unhandled) {
    const failures = unhandled.map((error) => failure('outside any test', error));
    const repeated = [];
    const skipped = [];
    let passed = 0;
    for (const module of modules) {
      const name = (part) => `${module.relativeModuleId}: ${part.fullName}`;
      failures.push(...module.errors().map((error) => failure(module.relativeModuleId, error)));
      for (const suite of module.children.allSuites())
        failures.push(...suite.errors().map((error) => failure(name(suite), error)));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') {
          passed += 1;
          if (test.diagnostic()?.flaky) repeated.push(failure(name(test), errors?.[0]));
        } else if (state === 'failed') failures.push(failure(name(test), errors[0]));
        else skipped.push(name(test));
      }
    }
    writeFileSync(
      process.env.TEST_REPORT,
      JSON.stringify({ passed, failures, repeated, skipped, slowest: slowest(modules) }),
    );
  }
}

function slowest(modules) {
  return modules
    .map((module) => {
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      return {
        name: module.relativeModuleId,
        seconds: Math.round((duration + collectDuration + setupDuration) / 1_000),
      };
    })
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST);
}

/**
 * Adds the received values to the first line of an assertion's message, because Vitest shortens long values in messages:
 * `expected [ …(1) ]`.
 */
function failure(name, error) {
  const received = stripVTControlCharacters(error?.diff ?? '').matchAll(/^\+ {2,}(.*\S)$/gm);
  const [first = '', ...rest] = (error?.message ?? '').split('\n');
  return { name, message: [[first, ...[...received].map(([, line]) => line)].join(' '), ...rest].join('\n') };
}
