import { describe, expect, it } from 'vitest'

import { addressOf } from '../../src/addresses/address-of.js'
import { containersAbove } from '../../src/addresses/containers-above.js'
import { matchPage } from '../../src/addresses/match-page.js'
import { type PageName, PAGES, PATH_PARAMS } from '../../src/addresses/page-table.js'

/** Decoded values that are hard to carry in an address. */
const ODD = ['12', 'a b', 'ä', '%2F', 'a?b#c', '..a', '-x']

describe('addresses of pages', () => {
  it.each(Object.keys(PAGES) as PageName[])('lead back to the page %s with its parameters', (name) => {
    for (const odd of ODD) {
      const names = [...PAGES[name].matchAll(/[:*](\w+)(?:\((\w+))?/g)]
      const params = Object.fromEntries(
        names.map(([, param = '', word]) => [param, word ?? valueOf(param, odd)]),
      )
      const address = addressOf(name, params as never)
      expect(matchPage(address)).toEqual({ name, params })
    }
  })

  it.each([
    ['/group/app/-/pipelines/12', 'pipelines/pipeline', { project: 'group/app', id: '12' }],
    ['/a/b/c/d/-/jobs/2/', 'jobs/job', { project: 'a/b/c/d', id: '2' }],
    ['/a/b/-/commits', 'code/commits', { project: 'a/b', ref_path: '' }],
    ['/a/b/-/tree/feature/x/src', 'code/tree', { project: 'a/b', ref_path: 'feature/x/src' }],
    ['/groups/a/b/-/group_members', 'groups/members', { group: 'a/b' }],
    ['/admin/users', 'admin/users', {}],
    ['/a/b', 'overview', { path: 'a/b' }],
    ['/a', 'overview', { path: 'a' }],
    ['/groups/a/b', 'overview', { path: 'a/b' }],
    ['/a/b/-/issues', 'issues/list', { project: 'a/b' }],
    ['/a/b/-/issues/new', 'issues/new', { project: 'a/b' }],
    ['/a/b/-/issues/12', 'issues/issue', { project: 'a/b', iid: '12' }],
    ['/a/b/-/merge_requests', 'merge-requests/list', { project: 'a/b' }],
    ['/a/b/-/merge_requests/new', 'merge-requests/new', { project: 'a/b' }],
    ['/a/b/-/merge_requests/3', 'merge-requests/merge-request', { project: 'a/b', iid: '3' }],
    ['/a/b/-/merge_requests/3/diffs', 'merge-requests/changes', { project: 'a/b', iid: '3' }],
    ['/a/b/-/wikis', 'wikis/page', { project: 'a/b', slug: '' }],
    ['/a/b/-/wikis/guide/start', 'wikis/page', { project: 'a/b', slug: 'guide/start' }],
    ['/a/b/-/wikis/guide/start/edit', 'wikis/view', { project: 'a/b', slug: 'guide/start', view: 'edit' }],
    ['/groups/a/-/wikis/b/diff', 'wikis/group-view', { group: 'a', slug: 'b', view: 'diff' }],
    ['/groups/a/b/-/epics/3', 'issues/epic', { group: 'a/b', iid: '3' }],
    ['/groups/a/b/-/epics/new', 'issues/new-epic', { group: 'a/b' }],
    ['/groups/a/b/-/boards/3', 'issues/group-board', { group: 'a/b', id: '3' }],
    ['/dashboard/todos', 'home/todos', {}],
    ['/-/snippets', 'snippets/own', { root: '-' }],
    ['/-/snippets/3', 'snippets/own-snippet', { id: '3', view: '' }],
  ])('finds the page at %s', (address, name, params) => {
    expect(matchPage(address)).toEqual({ name, params })
  })

  it.each([
    ['/a/b/c', ['group a/b', 'group a']],
    ['/a/b/c/-/jobs/4711', ['project a/b/c', 'group a/b', 'group a']],
    ['/groups/a/b/-/nothing', ['group a/b', 'group a']],
    ['/a', []],
    ['/admin/nothing', []],
    ['/a//b', []],
    ['/', []],
  ])('names what is around %s, nearest first', (address, places) => {
    expect(containersAbove(address).map(({ kind, path }) => `${kind} ${path}`)).toEqual(places)
  })

  it.each([
    '/a/-/pipelines',
    '/-/nothing',
    '/a/b/-/nothing',
    '/a/b/-/jobs/%E0',
    '//',
    '/a//b',
    '/a/b/-/issue',
  ])('finds no page at %s', (address) => {
    expect(matchPage(address)).toBeUndefined()
  })
})

function valueOf(param: string, odd: string): string {
  if (PATH_PARAMS.has(param)) return 'group/sub/app'
  return param.includes('path') || param === 'folder' || param === 'file' ? `main/${odd}` : odd
}
