import { describe, expect, test } from 'vitest'

import type { JobWhen } from '../../../../../src/ci-config/plan.js'
import { skippedDependents } from '../../../../../src/coordinator/ci/engine/advance/skipped-dependents.js'
import { nextTransitions, runsAfter } from '../../../../../src/coordinator/ci/engine/advance/transitions.js'
import type { JobStatus } from '../../../../../src/coordinator/database/tables/job-columns.js'
import type { CompositeStatus } from '../../../../../src/coordinator/database/tables/pipelines.js'
import { afterTransitions, drawGraph, type Drawing, statusesByName } from '../support/graph.js'

describe('whether a job runs after what came before it', () => {
  const previous: CompositeStatus[] = ['success', 'skipped', 'failed', 'canceled']
  const rows: [JobWhen, 'stage' | 'dag', boolean[]][] = [
    ['on_success', 'stage', [true, true, false, false]],
    ['on_success', 'dag', [true, false, false, false]],
    ['manual', 'stage', [true, true, false, false]],
    ['manual', 'dag', [true, false, false, false]],
    ['delayed', 'stage', [true, true, false, false]],
    ['delayed', 'dag', [true, false, false, false]],
    ['on_failure', 'stage', [false, false, true, false]],
    ['on_failure', 'dag', [false, false, true, false]],
    ['always', 'stage', [true, true, true, false]],
    ['always', 'dag', [true, true, true, false]],
  ]

  test.each(rows)('%s, scheduled by %s', (when, schedulingType, expected) => {
    expect(previous.map((status) => runsAfter({ when, schedulingType }, status))).toEqual(expected)
  })
})

interface Case {
  name: string
  jobs: Drawing
  becomes: Record<string, JobStatus>
  pipeline: CompositeStatus
}

/**
 * Those of the examples (CI language, 19.4), and the consequences of the steps (CI language, 11.3). `becomes` names the
 * jobs that were `created`.
 */
const cases: Case[] = [
  {
    name: 'the first stage starts, the others wait',
    jobs: { a: { stage: 1 }, b: { stage: 1 }, c: { stage: 2 } },
    becomes: { a: 'pending', b: 'pending', c: 'created' },
    pipeline: 'pending',
  },
  {
    name: 'a failure skips on_success and lets on_failure run; always waits for the stages before it',
    jobs: {
      build: { stage: 1, status: 'success' },
      a: { stage: 2, status: 'failed' },
      b: { stage: 2, status: 'success' },
      deploy: { stage: 3 },
      notify: { stage: 4, when: 'on_failure' },
      clean: { stage: 5, when: 'always' },
    },
    becomes: { deploy: 'skipped', notify: 'pending', clean: 'created' },
    pipeline: 'running',
  },
  {
    name: 'always runs once the job before it is done, and the pipeline has failed',
    jobs: {
      a: { stage: 2, status: 'failed' },
      deploy: { stage: 3, status: 'skipped' },
      notify: { stage: 4, when: 'on_failure', status: 'success' },
      clean: { stage: 5, when: 'always' },
    },
    becomes: { clean: 'pending' },
    pipeline: 'running',
  },
  {
    name: 'a failed stage is only judged when all its jobs have ended',
    jobs: {
      a: { stage: 1, status: 'failed' },
      b: { stage: 1, status: 'running' },
      c: { stage: 2 },
    },
    becomes: { c: 'created' },
    pipeline: 'running',
  },
  {
    name: 'an allowed failure is no failure',
    jobs: {
      a: { stage: 1, status: 'failed', allowFailure: true },
      next: { stage: 2 },
      rescue: { stage: 3, when: 'on_failure' },
    },
    becomes: { next: 'pending', rescue: 'created' },
    pipeline: 'pending',
  },
  {
    name: 'an allowed failure ends in success with on_failure skipped',
    jobs: {
      a: { stage: 1, status: 'failed', allowFailure: true },
      next: { stage: 2, status: 'success' },
      rescue: { stage: 3, when: 'on_failure' },
    },
    becomes: { rescue: 'skipped' },
    pipeline: 'success',
  },
  {
    name: 'an optional manual job holds nothing up',
    jobs: { ask: { stage: 1, when: 'manual', allowFailure: true }, next: { stage: 2 } },
    becomes: { ask: 'manual', next: 'pending' },
    pipeline: 'pending',
  },
  {
    name: 'a blocking manual job holds up what follows',
    jobs: { ask: { stage: 1, when: 'manual' }, next: { stage: 2 } },
    becomes: { ask: 'manual', next: 'created' },
    pipeline: 'manual',
  },
  {
    name: 'who needs an optional manual job is skipped while it is not played',
    jobs: { m: { stage: 1, when: 'manual', allowFailure: true }, x: { stage: 2, needs: ['m'] } },
    becomes: { m: 'manual', x: 'skipped' },
    pipeline: 'skipped',
  },
  {
    name: 'who needs a skipped job is skipped, unless it runs always',
    jobs: {
      y: { stage: 1, status: 'skipped' },
      x: { stage: 2, needs: ['y'] },
      z: { stage: 2, needs: ['y'], when: 'always' },
    },
    becomes: { x: 'skipped', z: 'pending' },
    pipeline: 'pending',
  },
  {
    name: 'a stage after a wholly skipped one runs',
    jobs: { a: { stage: 1, status: 'skipped' }, b: { stage: 2 } },
    becomes: { b: 'pending' },
    pipeline: 'pending',
  },
  {
    name: 'a canceled job skips everything after it, also what runs always',
    jobs: {
      a: { stage: 1, status: 'canceled' },
      b: { stage: 1, status: 'success' },
      c: { stage: 2 },
      d: { stage: 3, when: 'always' },
    },
    becomes: { c: 'skipped', d: 'skipped' },
    pipeline: 'canceled',
  },
  {
    name: 'a delayed job waits for its time',
    jobs: { a: { stage: 1, status: 'success' }, d: { stage: 2, when: 'delayed' } },
    becomes: { d: 'scheduled' },
    pipeline: 'scheduled',
  },
  {
    name: 'a job of stage 3 waits for stage 1 too',
    jobs: {
      a: { stage: 1, status: 'running' },
      b: { stage: 2, status: 'success' },
      c: { stage: 3 },
    },
    becomes: { c: 'created' },
    pipeline: 'running',
  },
  {
    name: 'needs ignore stages: none at all means at once',
    jobs: {
      slow: { stage: 1, status: 'running' },
      quick: { stage: 1, status: 'success' },
      early: { stage: 3, needs: [] },
      after: { stage: 2, needs: ['quick'] },
      plain: { stage: 2 },
    },
    becomes: { early: 'pending', after: 'pending', plain: 'created' },
    pipeline: 'running',
  },
  {
    name: 'needs within a stage follow their order, whatever the order of the jobs',
    jobs: {
      c: { stage: 1, needs: ['b'] },
      b: { stage: 1, needs: ['a'] },
      a: { stage: 1, status: 'failed' },
    },
    becomes: { b: 'skipped', c: 'skipped' },
    pipeline: 'failed',
  },
  {
    name: 'needed names that are not in the pipeline do not count',
    jobs: { a: { stage: 1, status: 'running' }, b: { stage: 2, needs: ['absent'] } },
    becomes: { b: 'pending' },
    pipeline: 'running',
  },
]

describe('what follows from the statuses of the jobs', () => {
  test.each(cases)('$name', ({ jobs, becomes, pipeline }) => {
    const graph = drawGraph(jobs)
    const progress = nextTransitions(graph)
    expect(statusesByName(afterTransitions(graph, progress))).toMatchObject(becomes)
    expect(progress.pipeline).toBe(pipeline)
  })

  test.each(cases)('$name: nothing more follows', ({ jobs }) => {
    const graph = drawGraph(jobs)
    const after = afterTransitions(graph, nextTransitions(graph))
    expect(nextTransitions(after).transitions).toEqual([])
  })

  test('stages have the status of their own jobs', () => {
    const { stages } = nextTransitions(
      drawGraph({ a: { stage: 1, status: 'failed' }, b: { stage: 2 }, c: { stage: 3, needs: [] } }),
    )
    expect([...stages.values()]).toEqual(['failed', 'skipped', 'pending'])
  })
})

describe('what is decided again after a retry or play', () => {
  const graph = drawGraph({
    a: { stage: 1, status: 'failed' },
    same: { stage: 1, status: 'skipped' },
    needing: { stage: 1, status: 'skipped', needs: ['a'] },
    further: { stage: 1, status: 'skipped', needs: ['needing'] },
    later: { stage: 2, status: 'skipped' },
    graph: { stage: 2, status: 'skipped', needs: ['same'] },
    done: { stage: 2, status: 'success' },
  })

  test('skipped jobs of later stages and those that need it, directly or not', () => {
    const ids = skippedDependents(graph, [{ name: 'a', stageIndex: 1 }])
    const names = graph.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
    expect(names).toEqual(['needing', 'further', 'later', 'graph'])
  })

  test('skipped jobs after the first of several stages, and those that need any of the jobs', () => {
    const several = [
      { name: 'done', stageIndex: 2 },
      { name: 'same', stageIndex: 1 },
    ]
    const ids = skippedDependents(graph, several)
    const names = graph.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
    expect(names).toEqual(['later', 'graph'])
  })
})
