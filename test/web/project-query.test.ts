import { describe, expect, it } from 'vitest'

import { filterIn, isFiltered, projectsPath } from '../../src/web/records/project-query.js'

describe('the filters of a list of projects', () => {
  it.each([
    ['', '/projects?order_by=last_activity_at&sort=desc&per_page=20'],
    ['?name=app', '/projects?search=app&order_by=last_activity_at&sort=desc&per_page=20'],
    [
      '?name=group%2Fapp&sort=name',
      '/projects?search=group%2Fapp&search_namespaces=true&order_by=name&sort=asc&per_page=20',
    ],
    [
      '?visibility=public&topic=cli&language=Go&sort=stars',
      '/projects?visibility=public&with_programming_language=Go&topic=cli&order_by=star_count&sort=desc&per_page=20',
    ],
    ['?starred=true', '/projects?starred=true&order_by=last_activity_at&sort=desc&per_page=20'],
    ['?sort=nonsense', '/projects?order_by=last_activity_at&sort=desc&per_page=20'],
  ])('of the address %s ask for %s', (search, path) => {
    expect(projectsPath('/projects', {}, filterIn(new URLSearchParams(search)))).toBe(path)
  })

  it('keep what the page always asks for', () => {
    const path = projectsPath('/projects', { membership: true }, filterIn(new URLSearchParams()))
    expect(path).toContain('?membership=true&')
  })

  it('do not count the order as a filter', () => {
    expect(isFiltered(filterIn(new URLSearchParams('?sort=name')))).toBe(false)
    expect(isFiltered(filterIn(new URLSearchParams('?topic=cli')))).toBe(true)
    expect(isFiltered(filterIn(new URLSearchParams('?starred=true')))).toBe(true)
  })
})
