import { describe, expect, test } from 'vitest'

import {
  byRef,
  byWeek,
  type EndedJob,
  type EndedPipeline,
  figuresOf,
  periodStart,
  summarizeJobs,
  weekOf,
} from '../../../../../src/coordinator/ci/pipelines/statistics/summarize.js'

const at = (time: string) => Date.parse(`${time}Z`)

function pipeline(id: number, given: Partial<EndedPipeline> = {}): EndedPipeline {
  const created_at = at('2026-11-25T12:00:00')
  return { id, ref: 'main', sha: `sha-${id}`, status: 'success', duration: id, created_at, ...given }
}

test.each([
  ['2026-11-23T00:00:00', '2026-11-23T00:00:00'],
  ['2026-11-25T12:00:00', '2026-11-23T00:00:00'],
  ['2026-11-29T23:59:59', '2026-11-23T00:00:00'],
  ['2026-11-30T00:00:00', '2026-11-30T00:00:00'],
])('%s is in the week of %s', (time, monday) => {
  expect(weekOf(at(time))).toBe(at(monday))
})

test('a period includes the present week', () => {
  expect(periodStart(at('2026-11-25T12:00:00'), 1)).toBe(at('2026-11-23T00:00:00'))
  expect(periodStart(at('2026-11-25T12:00:00'), 3)).toBe(at('2026-11-09T00:00:00'))
})

describe('pipelines', () => {
  test('count by result, with percentiles of those that succeeded', () => {
    const many = Array.from({ length: 100 }, (_, index) => pipeline(index + 1))
    expect(figuresOf([...many, pipeline(999, { status: 'failed' })])).toEqual({
      success: 100,
      failed: 1,
      p50: 50,
      p95: 95,
    })
    expect(figuresOf([])).toEqual({ success: 0, failed: 0, p50: null, p95: null })
  })

  test('have every week of the period', () => {
    const weeks = byWeek(
      [pipeline(1), pipeline(2, { created_at: at('2026-11-10T00:00:00'), status: 'failed' })],
      at('2026-11-09T00:00:00'),
      at('2026-11-25T12:00:00'),
    )
    expect(weeks.map(({ success, failed }) => [success, failed])).toEqual([
      [0, 1],
      [0, 0],
      [1, 0],
    ])
  })

  test('are grouped by ref, those with most pipelines first', () => {
    const refs = byRef([pipeline(1, { ref: 'topic' }), pipeline(2), pipeline(3)])
    expect(refs.map(({ ref, success }) => [ref, success])).toEqual([
      ['main', 2],
      ['topic', 1],
    ])
  })
})

describe('jobs', () => {
  const run = (pipeline_id: number, name: string, isSuccess: boolean, seconds = 10): EndedJob => ({
    pipeline_id,
    name,
    isSuccess,
    seconds,
  })

  test('are flaky if they fail and succeed at one commit', () => {
    const pipelines = [pipeline(1), pipeline(2), pipeline(3, { sha: 'sha-2' })]
    const { flakiest_jobs: flaky } = summarizeJobs(
      [
        ...[run(1, 'lint', false), run(1, 'rspec 1/2', false), run(1, 'rspec 1/2', true)],
        // Fails for good, beside an instance that succeeds.
        ...[run(1, 'build: [a]', false), run(1, 'build: [b]', true)],
        // In another pipeline of the commit.
        ...[run(2, 'docs', false), run(3, 'docs', true)],
        ...[run(2, 'rspec 1/2', false), run(3, 'rspec 1/2', true), run(3, 'rspec 2/2', true)],
      ],
      pipelines,
    )
    expect(flaky).toEqual([
      { name: 'rspec', parallel: true, runs: 5, failed: 2, flaky: 2, p50: 10, p95: 10 },
      { name: 'docs', parallel: false, runs: 2, failed: 1, flaky: 1, p50: 10, p95: 10 },
    ])
  })

  test('are ordered by the median of their successes', () => {
    const { slowest_jobs: slowest } = summarizeJobs(
      [run(1, 'a', true, 5), run(1, 'b', true, 50), run(1, 'c', false, 500)],
      [pipeline(1)],
    )
    expect(slowest.map(({ name, p50 }) => [name, p50])).toEqual([
      ['b', 50],
      ['a', 5],
    ])
  })
})
