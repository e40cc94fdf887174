import { describe, expect, it } from 'vitest'

import { apiOfRecords } from '../../src/web/pages/planning/api-of-records.js'
import { commandOf } from '../../src/web/pages/planning/command-of.js'

const PROJECT = { project: 'group/app' }

describe('records without a page', () => {
  it.each([
    [PROJECT, 'issues', '', 'list', undefined],
    [PROJECT, 'issues', 'new', 'new', undefined],
    [PROJECT, 'issues', '12', 'record', '/projects/group%2Fapp/issues/12'],
    [PROJECT, 'merge_requests', '3/diffs', 'record', '/projects/group%2Fapp/merge_requests/3'],
    [PROJECT, 'milestones', '2', 'record', '/projects/group%2Fapp/milestones?iids[]=2'],
    [PROJECT, 'wikis', 'guide/start', 'record', '/projects/group%2Fapp/wikis/guide%2Fstart'],
    [{ group: 'a/b' }, 'epics', '4', 'record', '/groups/a%2Fb/epics/4'],
    [undefined, 'snippets', '7', 'record', '/snippets/7'],
  ])('are in the API: %j %s/%s', (owner, kind, record, shows, path) => {
    const api = apiOfRecords(owner, kind, record)
    expect({ shows: api.shows, record: api.record }).toEqual({ shows, record: path })
  })

  it('name a command that fills in what the address of a new merge request carries', () => {
    const search = "?merge_request%5Bsource_branch%5D=it's"
    const origin = 'https://ci.example'
    const command = commandOf(apiOfRecords(PROJECT, 'merge_requests', 'new'), { origin, search })
    expect(command).toContain('--request POST')
    expect(command).toContain(String.raw`--data-urlencode 'source_branch=it'\''s'`)
    expect(command).toContain("'https://ci.example/api/v4/projects/group%2Fapp/merge_requests'")
  })
})
