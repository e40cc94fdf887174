import { expect, test } from 'vitest'

import type { Person } from '../../support/test-app.js'
import { mergeSceneForFile } from '../merge-requests/git-scene.js'

const openMergeScene = mergeSceneForFile()

interface Listed {
  iid: number
}

async function openScene() {
  const scene = await openMergeScene()
  const { ok, P } = scene
  for (const title of ['one', 'two', 'three', 'four']) await ok(`POST ${P}/issues`, { title })
  const iids = async (path: string, as?: Person) =>
    (await ok<Listed[]>(`GET ${P}/${path}`, undefined, as)).map(({ iid }) => iid)
  return { ...scene, iids }
}

test('a merge request names issues in its description and commits, and closes some of them by its merge', async () => {
  const { ok, commit, make, refresh, iids, P } = await openScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await ok(`POST ${P}/repository/commits`, {
    branch: 'topic',
    commit_message: 'Fix it\n\nCloses #2',
    actions: [{ action: 'create', file_path: 'c.txt', content: 'c' }],
  })
  await make('topic', { description: 'Closes #1, see #3' })
  await refresh()
  const M = 'merge_requests/1'
  expect(await iids(`${M}/closes_issues`)).toEqual([1, 2])
  expect(await iids(`${M}/related_issues`)).toEqual([1, 2, 3])
  expect(await iids('issues/1/closed_by')).toEqual([1])
  expect(await iids('issues/3/closed_by')).toEqual([])
  expect(await iids('issues/3/related_merge_requests')).toEqual([1])
  expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ merge_requests_count: 1 })
  expect(await ok(`GET ${P}/issues/3/notes`)).toMatchObject([
    { body: 'mentioned in merge request !1', system: true },
  ])
  await ok(`PUT ${P}/${M}`, { description: 'Closes #4' })
  await refresh()
  expect(await iids(`${M}/related_issues`)).toEqual([2, 4])
  await ok(`PUT ${P}/${M}/merge`)
  const states = await ok<{ iid: number; state: string }[]>(`GET ${P}/issues?order_by=created_at&sort=asc`)
  expect(states.map(({ state }) => state)).toEqual(['opened', 'closed', 'opened', 'closed'])
})

test('a merge into another branch than the default one closes no issue', async () => {
  const { ok, commit, make, refresh, iids, P } = await openScene()
  await ok(`POST ${P}/repository/branches`, { branch: 'next', ref: 'main' })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { description: 'Closes #1', target_branch: 'next' })
  await refresh()
  expect(await iids('merge_requests/1/closes_issues')).toEqual([])
  expect(await iids('merge_requests/1/related_issues')).toEqual([1])
  await ok(`PUT ${P}/merge_requests/1/merge`)
  expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ state: 'opened' })
})

test('what the caller may not see is left out, and the user who merges must be allowed to close', async () => {
  const { ok, commit, make, refresh, iids, person, P } = await openScene()
  const [bea, cyd] = [await person('bea'), await person('cyd')]
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  const hidden = await ok<{ id: number }>('POST /projects', { name: 'hidden' })
  await ok(`POST /projects/${hidden.id}/issues`, { title: 'hidden' })
  await ok(`POST ${P}/issues`, { title: 'confidential', confidential: true })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { description: 'Closes #1, #5 and ada/hidden#1' })
  await refresh()
  expect(await iids('merge_requests/1/closes_issues')).toEqual([1, 1, 5])
  expect(await iids('merge_requests/1/closes_issues', cyd)).toEqual([1])
  await ok(`DELETE ${P}/protected_branches/main`)
  await ok(`PUT ${P}/merge_requests/1/merge`, {}, bea)
  expect(await ok(`GET ${P}/issues/5`)).toMatchObject({ state: 'closed', closed_by: { id: bea.id } })
  expect(await ok(`GET /projects/${hidden.id}/issues/1`)).toMatchObject({ state: 'opened' })
})

test('names of issues that the author does not see are not recorded', async () => {
  const { ok, commit, make, refresh, iids, person, P } = await openScene()
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  const hidden = await ok<{ id: number }>('POST /projects', { name: 'hidden' })
  await ok(`POST /projects/${hidden.id}/issues`, { title: 'hidden' })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { description: 'Closes ada/hidden#1' }, { as: bea })
  await refresh()
  expect(await iids('merge_requests/1/related_issues')).toEqual([])
  expect(await ok(`GET /projects/${hidden.id}/issues/1/notes`)).toEqual([])
})
