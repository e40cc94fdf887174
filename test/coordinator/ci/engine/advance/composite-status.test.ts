import { describe, expect, test } from 'vitest'

import {
  compositeStatus,
  type JobState,
} from '../../../../../src/coordinator/ci/engine/advance/composite-status.js'
import type { JobStatus } from '../../../../../src/coordinator/database/tables/job-columns.js'

/** `failed?` is a failed job that may fail. */
type Written = JobStatus | `${JobStatus}?`

function states(written: Written[]): JobState[] {
  return written.map((text) => ({
    status: text.replace('?', '') as JobStatus,
    allowFailure: text.endsWith('?'),
  }))
}

/** CI language, 11.1: the number of the rule, the jobs, what they come to. */
const cases: [rule: number, jobs: Written[], expected: JobStatus | undefined][] = [
  [0, [], undefined],
  [2, ['skipped'], 'skipped'],
  [2, ['manual?'], 'skipped'],
  [2, ['skipped', 'manual?'], 'skipped'],
  [3, ['success'], 'success'],
  [3, ['success', 'skipped'], 'success'],
  [3, ['success', 'failed?'], 'success'],
  [3, ['success', 'canceled?'], 'success'],
  [3, ['success', 'manual?'], 'success'],
  [3, ['failed?'], 'success'],
  [3, ['skipped', 'failed?'], 'success'],
  [4, ['created'], 'created'],
  [4, ['created', 'failed?', 'manual?'], 'created'],
  [5, ['preparing'], 'preparing'],
  [5, ['preparing', 'manual?'], 'preparing'],
  [6, ['canceled'], 'canceled'],
  [6, ['canceled', 'success', 'skipped', 'failed?', 'manual?'], 'canceled'],
  [7, ['pending'], 'pending'],
  [7, ['pending', 'created', 'skipped', 'failed?', 'manual?'], 'pending'],
  [7, ['created', 'skipped'], 'pending'],
  [8, ['running'], 'running'],
  [8, ['running', 'failed'], 'running'],
  [8, ['pending', 'success'], 'running'],
  [8, ['pending', 'manual'], 'running'],
  [9, ['waiting_for_resource', 'success'], 'waiting_for_resource'],
  [9, ['waiting_for_resource', 'manual', 'created'], 'waiting_for_resource'],
  [10, ['waiting_for_callback', 'manual'], 'waiting_for_callback'],
  [11, ['manual'], 'manual'],
  [11, ['success', 'manual'], 'manual'],
  [11, ['failed', 'manual', 'created'], 'manual'],
  [11, ['manual', 'scheduled'], 'manual'],
  [12, ['scheduled', 'success'], 'scheduled'],
  [12, ['scheduled', 'preparing', 'created'], 'scheduled'],
  [13, ['preparing', 'success'], 'preparing'],
  [13, ['preparing', 'created'], 'preparing'],
  [14, ['created', 'success'], 'running'],
  [14, ['created', 'failed'], 'running'],
  [14, ['created', 'canceling'], 'running'],
  [15, ['canceling'], 'canceling'],
  [15, ['canceling', 'failed', 'success'], 'canceling'],
  [16, ['failed'], 'failed'],
  [16, ['success', 'failed'], 'failed'],
  [16, ['skipped', 'failed'], 'failed'],
  [16, ['canceled', 'failed'], 'failed'],
]

describe('composite status', () => {
  test.each(cases)('rule %i: %j', (_rule, jobs, expected) => {
    expect(compositeStatus(states(jobs))).toBe(expected)
  })

  test.each(cases)('rule %i does not depend on the order of %j', (_rule, jobs, expected) => {
    expect(compositeStatus(states(jobs).reverse())).toBe(expected)
  })

  test.each<[Written[], JobStatus | undefined]>([
    [[], undefined],
    [['skipped', 'success'], 'skipped'],
    [['manual?', 'success'], 'skipped'],
    [['skipped', 'failed'], 'skipped'],
    [['manual', 'success'], 'manual'],
    [['success', 'failed?'], 'success'],
    [['failed', 'success'], 'failed'],
  ])('rule 1, for the needs of a job: %j', (jobs, expected) => {
    expect(compositeStatus(states(jobs), { forNeeds: true })).toBe(expected)
  })
})
