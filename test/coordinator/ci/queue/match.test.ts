import { expect, test } from 'vitest'

import { type JobProfile, mayTake, type RunnerProfile } from '../../../../src/coordinator/ci/queue/match.js'
import type { PartitionHead } from '../../../../src/coordinator/ci/queue/partition.js'
import { orderByPriority } from '../../../../src/coordinator/ci/queue/priority-order.js'

const RUNNER: RunnerProfile = {
  runnerId: 1,
  type: 'instance_type',
  active: true,
  tags: new Set(),
  runUntagged: true,
  protectedOnly: false,
  projectIds: new Set(),
  groupPath: undefined,
  weight: 0,
}
const JOB: JobProfile = {
  projectId: 7,
  projectPath: 'team/tools/app',
  tags: [],
  protected: false,
  instanceRunnersAllowed: true,
  groupRunnersAllowed: true,
}

interface Case {
  name: string
  runner?: Partial<RunnerProfile>
  job?: Partial<JobProfile>
  fits: boolean
}

/** CI language, 14.1. */
const cases: Case[] = [
  { name: 'an instance runner and any job', fits: true },
  { name: 'a paused runner', runner: { active: false }, fits: false },
  { name: 'an instance runner where none is allowed', job: { instanceRunnersAllowed: false }, fits: false },
  {
    name: 'a project runner and its project',
    runner: { type: 'project_type', projectIds: new Set([7]) },
    job: { instanceRunnersAllowed: false },
    fits: true,
  },
  {
    name: 'a project runner and another project',
    runner: { type: 'project_type', projectIds: new Set([8]) },
    fits: false,
  },
  { name: 'a project runner without projects', runner: { type: 'project_type' }, fits: false },
  {
    name: 'a paused project runner and its project',
    runner: { type: 'project_type', projectIds: new Set([7]), active: false },
    fits: false,
  },
  {
    name: 'a group runner and a project of the group',
    runner: { type: 'group_type', groupPath: 'team/tools' },
    fits: true,
  },
  {
    name: 'a group runner and a project of a subgroup, where no instance runner is allowed',
    runner: { type: 'group_type', groupPath: 'team' },
    job: { instanceRunnersAllowed: false },
    fits: true,
  },
  {
    name: 'a group runner and a project that wants none',
    runner: { type: 'group_type', groupPath: 'team' },
    job: { groupRunnersAllowed: false },
    fits: false,
  },
  {
    name: 'an instance runner and a project that wants no group runners',
    job: { groupRunnersAllowed: false },
    fits: true,
  },
  {
    name: 'a group runner and a group whose name begins alike',
    runner: { type: 'group_type', groupPath: 'team/tool' },
    fits: false,
  },
  {
    name: 'a group runner of a group inside',
    runner: { type: 'group_type', groupPath: 'team/tools/app' },
    fits: false,
  },
  {
    name: 'a paused group runner',
    runner: { type: 'group_type', groupPath: 'team', active: false },
    fits: false,
  },
  {
    name: 'a group runner for protected refs only',
    runner: { type: 'group_type', groupPath: 'team', protectedOnly: true },
    fits: false,
  },
  { name: 'protected only, and a job that is not', runner: { protectedOnly: true }, fits: false },
  {
    name: 'protected only, and a protected job',
    runner: { protectedOnly: true },
    job: { protected: true },
    fits: true,
  },
  { name: 'a protected job anywhere', job: { protected: true }, fits: true },
  { name: 'no untagged jobs wanted', runner: { runUntagged: false, tags: new Set(['a']) }, fits: false },
  { name: 'a tag that the runner lacks', job: { tags: ['a'] }, fits: false },
  {
    name: 'one of two tags lacking',
    runner: { tags: new Set(['a']) },
    job: { tags: ['a', 'b'] },
    fits: false,
  },
  {
    name: 'all tags there',
    runner: { runUntagged: false, tags: new Set(['a', 'b', 'c']) },
    job: { tags: ['b', 'a'] },
    fits: true,
  },
  { name: 'tags in another case', runner: { tags: new Set(['A']) }, job: { tags: ['a'] }, fits: false },
]

test.each(cases)('$name: $fits', ({ runner, job, fits }) => {
  expect(mayTake({ ...RUNNER, ...runner }, { ...JOB, ...job })).toBe(fits)
})

const NOW = 1_000_000_000

function head(project_id: number, job_id: number, traits: Partial<PartitionHead> = {}): PartitionHead {
  const partition = { tag_set_id: 1, protected: false, instance_runners_allowed: true, priority: 0 }
  return { ...partition, project_id, job_id, queued_at: NOW, ...traits }
}

function orderOf(heads: PartitionHead[], running: [number, number][] = []): number[] {
  return orderByPriority(heads, new Map(running), NOW).map(({ job_id }) => job_id)
}

test('the project with the fewest running jobs comes first, then the one with the oldest job', () => {
  const heads = [head(1, 2), head(2, 5), head(3, 6), head(3, 4)]
  expect(
    orderOf(heads, [
      [1, 1],
      [2, 2],
    ]),
  ).toEqual([4, 6, 2, 5])
  expect(orderOf(heads)).toEqual([2, 4, 6, 5])
})

test('a priority counts among the jobs of one project, and changes no turn of another', () => {
  const heads = [head(1, 2), head(1, 3, { priority: 1 }), head(2, 1), head(2, 9, { priority: 10 })]
  expect(orderOf(heads)).toEqual([9, 1, 3, 2])
  expect(orderOf(heads, [[2, 1]])).toEqual([3, 2, 9, 1])
  expect(orderOf([head(1, 2, { priority: -1 }), head(1, 3)])).toEqual([3, 2])
})

test('a job that has waited for more than an hour is overtaken by no priority', () => {
  const long = { priority: -10, queued_at: NOW - 3_600_001 }
  expect(orderOf([head(1, 3, { priority: 10 }), head(1, 2, long), head(1, 1)])).toEqual([2, 3, 1])
})
