import { describe, expect, it } from 'vitest'

import { ISSUE_FILTER } from '../../src/web/pages/issues/issue-filter.js'
import { parseIssueReference } from '../../src/web/pages/issues/issue-reference.js'
import { completionsOf, filterIn, queryText, readFilter } from '../../src/web/planned/filter-words.js'

describe('the filter of issues', () => {
  it('becomes parameters of the API', () => {
    const { query, unknown, state } = readFilter(
      ISSUE_FILTER,
      'login crash label:bug label:"needs work" author:ada assignee:none milestone:"v 1" confidential:yes state:all',
    )
    expect(queryText(query)).toBe(
      'labels%5B%5D=bug&labels%5B%5D=needs+work&author_username=ada&assignee_id=None&milestone=v+1&confidential=true&search=login+crash',
    )
    expect({ unknown, state }).toEqual({ unknown: [], state: 'all' })
  })

  it('names what it does not know, and what can be there once', () => {
    const { query, unknown } = readFilter(ISSUE_FILTER, 'due:never author:a author:b https://x.example/1')
    expect(unknown).toEqual(['due:never', 'author:b'])
    expect(query).toEqual([
      ['author_username', 'a'],
      ['search', 'https://x.example/1'],
    ])
  })

  it.each([
    ['label_name[]=bug&label_name[]=a b&search=x', 'label:bug label:"a b" x'],
    ['milestone_title=v1&author_username=ada', 'milestone:v1 author:ada'],
    ['filter=due:week&label_name=bug', 'due:week'],
    ['state=closed&sort=title_asc', ''],
  ])('is what the address ?%s asks for: %j', (search, text) => {
    expect(filterIn(ISSUE_FILTER, new URLSearchParams(search))).toBe(text)
  })

  it('completes names and values', () => {
    expect(completionsOf(ISSUE_FILTER, 'crash la', [])).toEqual(['crash label:'])
    expect(completionsOf(ISSUE_FILTER, 'label:ne', ['needs work', 'bug'])).toEqual(['label:"needs work" '])
    expect(completionsOf(ISSUE_FILTER, 'x due:to', [])).toEqual(['x due:today ', 'x due:tomorrow '])
    expect(completionsOf(ISSUE_FILTER, 'label:', ['bug'])).toEqual([
      'label:bug ',
      'label:none ',
      'label:any ',
    ])
  })
})

it.each([
  ['12', { project: 'a/b', iid: 12 }],
  [' #12 ', { project: 'a/b', iid: 12 }],
  ['group/sub/app#3', { project: 'group/sub/app', iid: 3 }],
  ['https://ci.example/group/app/-/issues/7#note_1', { project: 'group/app', iid: 7 }],
  ['app', undefined],
  ['!3', undefined],
])('the issue that %j names', (text, issue) => {
  expect(parseIssueReference(text, 'a/b')).toEqual(issue)
})
