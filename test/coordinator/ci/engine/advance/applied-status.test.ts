import { expect, test } from 'vitest'

import {
  appliedToPipeline,
  appliedToStage,
} from '../../../../../src/coordinator/ci/engine/advance/applied-status.js'
import { JOB_STATUSES } from '../../../../../src/coordinator/ci/engine/job-statuses.js'

test.each([
  'created',
  'pending',
  'manual',
  'skipped',
  'scheduled',
  'preparing',
  'waiting_for_resource',
] as const)('a %s pipeline becomes pending when all its jobs wait for a runner', (current) => {
  expect(appliedToPipeline(current, 'pending')).toBe('pending')
})

test.each(['running', 'success', 'failed', 'canceling', 'canceled'] as const)(
  'a %s pipeline is running, not pending, when a job waits for a runner again',
  (current) => {
    expect(appliedToPipeline(current, 'pending')).toBe('running')
  },
)

test.each(JOB_STATUSES)('a %s pipeline or stage stays so while its jobs are only created', (current) => {
  expect(appliedToPipeline(current, 'created')).toBe(current)
  expect(appliedToStage(current, 'created')).toBe(current)
})

test('any other composite is the status of the pipeline and of the stage', () => {
  for (const composite of JOB_STATUSES.filter((status) => status !== 'created')) {
    expect(appliedToStage('skipped', composite)).toBe(composite)
    if (composite !== 'pending') expect(appliedToPipeline('failed', composite)).toBe(composite)
  }
})
