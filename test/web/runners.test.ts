import { expect, test } from 'vitest'

import { isStuck, nextStep } from '../../src/web/records/runners/next-step.js'
import { partialSearchNote } from '../../src/web/records/runners/partial-search.js'
import { atLeastADay, periodOf, startOf } from '../../src/web/records/runners/periods.js'
import {
  isOwnRunner,
  newRunnerParams,
  runnerAddress,
  runnersAddress,
  runnersList,
  runnersTopic,
} from '../../src/web/records/runners/runner-scope.js'

test.each([
  ['missing_tags', ['gpu'], 'Give a runner the tag "gpu".', true],
  ['missing_tags', ['gpu', 'arm'], 'Give a runner the tags "gpu", "arm".', true],
  ['paused', [], 'Resume one of the runners.', true],
  ['busy', [], 'Add a runner, or let a runner run more jobs at the same time.', false],
  ['something_new', [], '', false],
])('jobs that wait for %s without %j need: %s', (reason, missing_tags, step, stuck) => {
  expect(nextStep({ reason, missing_tags })).toBe(step)
  expect(isStuck({ reason })).toBe(stuck)
})

test('a search in the jobs of a runner says when it does not look at all of them', () => {
  expect(partialSearchNote(1, undefined)).toBe('Only the newest 10,000 jobs of this runner are searched.')
  expect(partialSearchNote(1, 10_000)).toBeUndefined()
  expect(partialSearchNote(0, undefined)).toBeUndefined()
})

test('a period ends now and begins at a minute', () => {
  const now = Date.parse('2026-03-02T10:00:42Z')
  expect(startOf(periodOf('1h'), now)).toBe('2026-03-02T09:00:00.000Z')
  expect(startOf(periodOf('nonsense'), now)).toBe('2026-03-02T07:00:00.000Z')
  expect(atLeastADay('2026-03-02T07:00:00.000Z', now)).toBe('2026-03-01T10:00:00.000Z')
  expect(atLeastADay('2026-02-01T07:00:00.000Z', now)).toBe('2026-02-01T07:00:00.000Z')
})

test('addresses and paths of the runners of the instance, of a group and of a project', () => {
  const scopes = [
    { kind: 'instance', path: '', id: 0 },
    { kind: 'group', path: 'a/b', id: 7 },
    { kind: 'project', path: 'a/p', id: 5 },
  ] as const
  expect(scopes.map((scope) => runnersAddress(scope, { status: 'online' }))).toEqual([
    '/admin/runners?status=online',
    '/groups/a/b/-/runners?status=online',
    '/a/p/-/runners?status=online',
  ])
  expect(scopes.map((scope) => runnerAddress(scope, 3))).toEqual([
    '/admin/runners/3',
    '/groups/a/b/-/runners/3',
    '/a/p/-/runners/3',
  ])
  expect(scopes.map(runnersList)).toEqual([
    '/runners/all',
    '/groups/a%2Fb/runners',
    '/projects/a%2Fp/runners',
  ])
  expect(scopes.map(runnersTopic)).toEqual(['runners', 'runners/group/7', 'runners/project/5'])
  expect(scopes.map(newRunnerParams)).toEqual([
    { runner_type: 'instance_type' },
    { runner_type: 'group_type', group_id: 7 },
    { runner_type: 'project_type', project_id: 5 },
  ])
  const mayChange = (runner_type: string, group_id: number | null) =>
    scopes.map((scope) => isOwnRunner(scope, { runner_type, group_id }))
  expect(mayChange('group_type', 7)).toEqual([true, true, false])
  // A runner of the group above.
  expect(mayChange('group_type', 6)).toEqual([true, false, false])
  expect(mayChange('project_type', null)).toEqual([true, false, true])
  expect(mayChange('instance_type', null)).toEqual([true, false, false])
})
