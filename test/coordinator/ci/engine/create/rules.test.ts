import { describe, expect, test } from 'vitest'

import type { JobOptions } from '../../../../../src/ci-config/plan.js'
import { coveredTime } from '../../../../../src/coordinator/ci/engine/advance/covered-time.js'
import { hasSkipMarker } from '../../../../../src/coordinator/ci/engine/create/skip-ci.js'
import { jobTimeout } from '../../../../../src/coordinator/ci/engine/dispatch/job-timeout.js'
import { missingFeature } from '../../../../../src/coordinator/ci/engine/dispatch/required-features.js'
import { matchesRefPattern } from '../../../../../src/git/ref-pattern.js'

test.each<[string, string, boolean]>([
  ['main', 'main', true],
  ['main', 'main2', false],
  ['release/*', 'release/1.0', true],
  ['release/*', 'release', false],
  ['*', 'anything/at/all', true],
  ['*-stable', '1-0-stable', true],
  ['*-stable', 'stable', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['v*.*', 'v1.2', true],
  ['v*.*', 'v12', false],
  ['a.c', 'abc', false],
])('the rule %s and the name %s: %s', (pattern, name, expected) => {
  expect(matchesRefPattern(pattern, name)).toBe(expected)
})

test.each<[string, boolean]>([
  ['Fix it [skip ci]', true],
  ['[CI SKIP] now', true],
  ['a\n\n[ci-skip]', true],
  ['[skip_ci]', true],
  ['skip ci', false],
  ['[skip  ci]', false],
])('commit message %j asks to skip: %s', (message, expected) => {
  expect(hasSkipMarker(message)).toBe(expected)
})

test.each<[number | undefined, number | null, number]>([
  [undefined, null, 3600],
  [7200, null, 7200],
  [undefined, 600, 600],
  [7200, 900, 900],
  [60, 900, 60],
])('the timeout of a job that wrote %s on a runner with %s is %s', (job, runner, expected) => {
  expect(jobTimeout({ job, project: 3600, runner })).toBe(expected)
})

test.each([
  { intervals: [], covered: 0 },
  { intervals: [{ start: 5, end: 9 }], covered: 4 },
  {
    intervals: [
      { start: 10, end: 20 },
      { start: 0, end: 5 },
    ],
    covered: 15,
  },
  {
    intervals: [
      { start: 0, end: 10 },
      { start: 2, end: 4 },
      { start: 8, end: 12 },
    ],
    covered: 12,
  },
])('$intervals cover $covered', ({ intervals, covered }) => {
  expect(coveredTime(intervals)).toBe(covered)
})

describe('features that a job cannot do without', () => {
  const artifacts = { paths: ['a'], exclude: ['b'], untracked: false, when: 'on_success' } as const
  const options: JobOptions = {
    script: ['true'],
    afterScript: [],
    services: [],
    artifacts: { ...artifacts, paths: ['a'], exclude: ['b'] },
  }

  test('a runner that knows no exclusions is not fit for them', () => {
    expect(missingFeature(options, { artifacts_exclude: false })).toBe('artifacts_exclude')
    expect(missingFeature(options, { artifacts_exclude: true })).toBeUndefined()
  })

  test('a plain job needs no feature', () => {
    expect(missingFeature({ ...options, artifacts: undefined }, {})).toBeUndefined()
  })
})
