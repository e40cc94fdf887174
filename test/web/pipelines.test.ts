import { describe, expect, it } from 'vitest'

import { completionsOf, readFilter } from '../../src/web/pages/pipelines/filter-words.js'

describe('the filter of pipelines', () => {
  it('turns words into parameters of the API, and names the others', () => {
    expect(readFilter('ref:main  status:failed by:root nonsense x:y')).toEqual({
      query: { ref: 'main', status: 'failed', username: 'root' },
      unknown: ['nonsense', 'x:y'],
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
