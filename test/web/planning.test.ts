import { describe, expect, it } from 'vitest'

import { apiOfRecords } from '../../src/web/pages/planning/api-of-records.js'
import { commandOf } from '../../src/web/pages/planning/command-of.js'

const GROUP = { group: 'a/b' }

describe('records without a page', () => {
  it.each([
    [undefined, 'todos', '', 'list', undefined],
  ])('are in the API: %j %s/%s', (owner, kind, record, shows, path) => {
    const api = apiOfRecords(owner, kind, record)
    expect({ shows: api.shows, record: api.record }).toEqual({ shows, record: path })
  })

  it('name the command that creates one', () => {
    const command = commandOf(apiOfRecords(GROUP, 'epics', 'new'), 'https://ci.example')
    expect(command).toContain('--request POST')
    expect(command).toContain("--data-urlencode 'title=TITLE'")
    expect(command).toContain('https://ci.example/api/v4/groups/a%2Fb/epics')
  })
})
