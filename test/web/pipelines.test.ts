import { describe, expect, it } from 'vitest'

import { completionsOf, filterIn, readFilter } from '../../src/web/pages/pipelines/filter-words.js'
import { jobsInOrder } from '../../src/web/pages/pipelines/jobs/jobs-in-order.js'
import { actionsOnChosen } from '../../src/web/pages/pipelines/pipeline-actions.js'

describe('the filter of pipelines', () => {
  it('turns words into parameters of the API, and searches for the others', () => {
    expect(readFilter('ref:main  status:failed by:root login fix: x:y')).toEqual({
      query: { ref: 'main', status: 'failed', username: 'root', search: 'login fix: x:y' },
      unknown: [],
    })
  })

  it('searches for the first digits of a SHA', () => {
    const sha = 'a'.repeat(40)
    expect(readFilter('sha:abc123').query).toEqual({ search: 'abc123' })
    expect(readFilter(`sha:${sha}`).query).toEqual({ sha })
  })

  it('is what the address names, or single parameters such as those of links', () => {
    expect(filterIn(new URLSearchParams('ref=main&status=failed&username=root'))).toBe(
      'ref:main status:failed by:root',
    )
    expect(filterIn(new URLSearchParams('filter=ref:next&ref=main'))).toBe('ref:next')
    expect(filterIn(new URLSearchParams('search=old+login&ref=main'))).toBe('ref:main old login')
  })

  it('leaves out invalid values', () => {
    expect(readFilter('status:broken after:2026-11-01 before:soon')).toEqual({
      query: { created_after: '2026-11-01' },
      unknown: ['status:broken', 'before:soon'],
    })
  })

  it.each([
    ['', ['ref:', 'status:', 'source:', 'by:', 'sha:', 'after:', 'before:']],
    ['ref:main s', ['ref:main status:', 'ref:main source:', 'ref:main sha:']],
    ['status:s', ['status:success', 'status:skipped']],
    ['status:success', []],
  ])('completes %j', (text, completions) => {
    expect(completionsOf(text, { status: ['success', 'failed', 'skipped'] })).toEqual(completions)
  })
})

describe('the actions on chosen pipelines', () => {
  it('concern those whose state allows them', () => {
    const stages = [{ name: 'test', status: 'failed' as const, has_warnings: false, counts: {} }]
    const chosen = [
      { id: 1, status: 'running' as const, stages },
      { id: 2, status: 'failed' as const, stages },
      { id: 3, status: 'success' as const, stages },
      // Its CI file has errors.
      { id: 4, status: 'failed' as const, stages: [] },
    ]
    expect(actionsOnChosen(chosen)).toEqual({ retry: [2], cancel: [1], delete: [1, 2, 3, 4] })
  })
})

describe('the table of jobs', () => {
  const jobs = [
    { name: 'rspec 10/10', tags: ['docker'], duration: 5, queued_duration: 9, finished_at: null },
    { name: 'rspec 2/10', tags: ['docker', 'large'], duration: 80, queued_duration: null, finished_at: null },
    { name: 'lint', tags: [], duration: null, queued_duration: 30, finished_at: '2026-01-01T00:00:00Z' },
  ].map((job, index) => ({ ...job, runner: { id: index + 1, description: null } }))
  const any = { text: '', runner: '', tag: '' }

  it.each([
    ['', ['rspec 10/10', 'rspec 2/10', 'lint']],
    ['name', ['lint', 'rspec 2/10', 'rspec 10/10']],
    ['duration', ['rspec 2/10', 'rspec 10/10', 'lint']],
    ['waited', ['lint', 'rspec 10/10', 'rspec 2/10']],
    ['finished', ['lint', 'rspec 10/10', 'rspec 2/10']],
  ] as const)('is ordered by %j', (order, names) => {
    expect(jobsInOrder(jobs, any, order).map(({ name }) => name)).toEqual(names)
  })

  it.each([
    [{ text: 'RSPEC 1' }, ['rspec 10/10']],
    [{ runner: '3' }, ['lint']],
    [{ tag: 'large' }, ['rspec 2/10']],
  ])('leaves the jobs of the filter %j', (filter, names) => {
    expect(jobsInOrder(jobs, { ...any, ...filter }, '').map(({ name }) => name)).toEqual(names)
  })
})
