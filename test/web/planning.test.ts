import { describe, expect, it } from 'vitest'

import { apiOfRecords } from '../../src/web/pages/planning/api-of-records.js'
import { commandOf } from '../../src/web/pages/planning/command-of.js'

const PROJECT = { project: 'group/app' }

describe('records without a page', () => {
  it.each([
    [PROJECT, 'snippets', '', 'list', undefined],
    [PROJECT, 'snippets', 'new', 'new', undefined],
    [PROJECT, 'snippets', '12', 'record', '/projects/group%2Fapp/snippets/12'],
    [PROJECT, 'wikis', 'guide/start', 'record', '/projects/group%2Fapp/wikis/guide%2Fstart'],
    [undefined, 'snippets', '7', 'record', '/snippets/7'],
  ])('are in the API: %j %s/%s', (owner, kind, record, shows, path) => {
    const api = apiOfRecords(owner, kind, record)
    expect({ shows: api.shows, record: api.record }).toEqual({ shows, record: path })
  })

  it('name the command that creates one', () => {
    const command = commandOf(apiOfRecords(PROJECT, 'snippets', 'new'), 'https://ci.example')
    expect(command).toContain('--request POST')
    expect(command).toContain("--data-urlencode 'title=TITLE'")
    expect(command).toContain('https://ci.example/api/v4/projects/group%2Fapp/snippets')
  })
})
