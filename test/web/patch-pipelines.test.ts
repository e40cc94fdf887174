import { describe, expect, it } from 'vitest'

import type { DetailedPipeline } from '../../src/coordinator/ci/pipelines/details/schema.js'
import type { PipelineMessage } from '../../src/coordinator/live/messages.js'
import { withPipeline } from '../../src/web/records/patch-pipelines.js'

const STAGES = [
  { name: 'build', status: 'running', has_warnings: false, counts: { running: 1 } },
  { name: 'test', status: 'created', has_warnings: false, counts: { created: 2 } },
]
const row = (id: number, more: object = {}) =>
  ({ id, status: 'running', finished_at: null, stages: STAGES, ...more }) as unknown as DetailedPipeline
const message = (id: number, more: object = {}) =>
  ({
    id,
    status: 'running',
    finished_at: null,
    stages: [
      { name: 'build', status: 'success' },
      { name: 'test', status: 'pending' },
    ],
    ...more,
  }) as unknown as PipelineMessage

describe('a list of pipelines after a change', () => {
  it('has the statuses of the pipeline and its stages', () => {
    const changed = withPipeline([row(2), row(1)], message(1, { status: 'pending' }))
    expect(changed?.map(({ id, status }) => [id, status])).toEqual([
      [2, 'running'],
      [1, 'pending'],
    ])
    expect(changed?.[1]?.stages.map(({ status }) => status)).toEqual(['success', 'pending'])
    expect(changed?.[0]?.stages).toBe(STAGES)
  })

  it.each([
    ['is new', [row(1)], message(2)],
    ['has ended', [row(1)], message(1, { finished_at: '2026-01-01T00:00:00Z' })],
    ['runs again', [row(1, { finished_at: '2026-01-01T00:00:00Z' })], message(1)],
  ])('must be read again when the pipeline %s', (_case, rows, change) => {
    expect(withPipeline(rows, change)).toBeUndefined()
  })
})
