import { describe, expect, it } from 'vitest'

import { completionsOf, filterIn, readFilter } from '../../src/web/pages/pipelines/filter-words.js'
import { actionsOnChosen } from '../../src/web/pages/pipelines/pipeline-actions.js'

describe('the filter of pipelines', () => {
  it('turns words into parameters of the API, and names the others', () => {
    expect(readFilter('ref:main  status:failed by:root nonsense x:y')).toEqual({
      query: { ref: 'main', status: 'failed', username: 'root' },
      unknown: ['nonsense', 'x:y'],
    })
  })

  it('is what the address names, or single parameters such as those of links', () => {
    expect(filterIn(new URLSearchParams('ref=main&status=failed&username=root'))).toBe(
      'ref:main status:failed by:root',
    )
    expect(filterIn(new URLSearchParams('filter=ref:next&ref=main'))).toBe('ref:next')
  })

  it('leaves out values that cannot be', () => {
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
