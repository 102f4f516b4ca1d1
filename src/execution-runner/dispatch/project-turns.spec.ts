import { expect, it } from 'vitest';
import { type Candidate, ProjectTurns } from './project-turns.js';

/**
 * Creates one runnable execution for each priority. The ids consist of the project id and a number, such as `a1` and
 * `a2`.
 */
function waiting(projectId: string, ...priorities: readonly number[]): readonly Candidate[] {
  return priorities.map((priority, index) => ({ id: `${projectId}${index + 1}`, projectId, priority }));
}

it('projects take turns across several calls of `ProjectTurns.choose()`', () => {
  const turns = new ProjectTurns();
  expect(turns.choose([...waiting('a', 5, 5, 5, 5), ...waiting('b', 5, 5)], 3)).toEqual(['a1', 'b1', 'a2']);
  expect(turns.choose([...waiting('a', 5, 5), ...waiting('b', 5)], 1)).toEqual(['b1']);
  expect(turns.choose([...waiting('a', 5, 5), ...waiting('b', 5)], 1)).toEqual(['a1']);
});

it('`ProjectTurns.choose()` prefers high priority within a project, and between projects that waited equally long', () => {
  const turns = new ProjectTurns();
  const candidates = [...waiting('a', 1, 9), ...waiting('b', 5, 7)];
  expect(turns.choose(candidates, 4)).toEqual(['a2', 'b2', 'a1', 'b1']);
});

it('a high priority does not give a project the turn of another project', () => {
  const turns = new ProjectTurns();
  turns.choose(waiting('a', 9), 1);
  expect(turns.choose([...waiting('a', 9, 9, 9), ...waiting('b', 0)], 2)).toEqual(['b1', 'a1']);
});

it('`ProjectTurns.choose()` returns an execution only once if the candidates contain this execution twice', () => {
  const turns = new ProjectTurns();
  const candidates = waiting('a', 5, 5);
  expect(turns.choose([...candidates, ...candidates], 10)).toEqual(['a1', 'a2']);
  expect(turns.choose([], 10)).toEqual([]);
});
