import { describe, expect, test } from 'vitest'

import {
  refusedTransition,
  timesOf,
} from '../../../../src/coordinator/ci/commit-statuses/status-transition.js'

const ENQUEUE = (from: string) =>
  `Cannot transition status via :enqueue from :${from} (Reason(s): Status cannot transition via "enqueue")`

describe('status transitions', () => {
  test.each([
    ['pending', 'pending', ENQUEUE('pending')],
    ['pending', 'running', undefined],
    ['pending', 'success', undefined],
    ['pending', 'failed', undefined],
    ['pending', 'canceled', undefined],
    ['pending', 'skipped', undefined],
    ['running', 'pending', ENQUEUE('running')],
    [
      'running',
      'running',
      'Cannot transition status via :run from :running (Reason(s): Status cannot transition via "run")',
    ],
    ['running', 'success', undefined],
    ['running', 'failed', undefined],
    ['running', 'canceled', undefined],
    ['running', 'skipped', undefined],
  ] as const)('%s to %s', (from, to, refusal) => {
    expect(refusedTransition(from, to)).toBe(refusal)
  })
})

describe('the times of a status', () => {
  test.each([
    ['pending', null, { started_at: null, finished_at: null }],
    ['running', null, { started_at: 9, finished_at: null }],
    ['running', 5, { started_at: 5, finished_at: null }],
    ['success', 5, { started_at: 5, finished_at: 9 }],
    ['failed', null, { started_at: null, finished_at: 9 }],
  ] as const)('%s, started %s', (state, startedAt, times) => {
    expect(timesOf(state, startedAt, 9)).toEqual({ ...times, updated_at: 9 })
  })
})
