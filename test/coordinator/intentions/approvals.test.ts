import { expect, test } from 'vitest'

import { mergeSceneForFile } from '../planning/merge-requests/git-scene.js'
import type { Person } from '../support/test-app.js'

const openMergeScene = mergeSceneForFile()

/** A merge request of `ada` from `topic` into `main`, which needs an approval, and the developer `bea`. */
async function openScene() {
  const scene = await openMergeScene()
  const { ok, call, commit, make, refresh, person, P } = scene
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  await ok(`PUT ${P}`, { approvals_before_merge: 1 })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const M = `${P}/merge_requests/1`
  return {
    ...scene,
    bea,
    M,
    approve: (as: Person = bea) => ok(`POST ${M}/approve`, {}, as),
    approved: async () => (await ok<{ approved: boolean }>(`GET ${M}/approvals`)).approved,
    merge: async () => (await call(`PUT ${M}/merge`))[0],
  }
}

test('an approval counts for the head that was approved, and a push at the same moment is not merged', async () => {
  const { approve, approved, merge, commit, refresh, ok, show, P } = await openScene()
  await approve()
  await commit({ 'c.txt': 'c' }, { branch: 'topic' })
  expect(await merge()).toBe(405)
  await refresh()
  expect(await merge()).toBe(405)
  expect(await approved()).toBe(false)
  await ok(`POST ${P}/approvals`, { reset_approvals_on_push: false })
  await approve()
  await commit({ 'd.txt': 'd' }, { branch: 'topic' })
  // The merge request does not show these commits yet.
  expect(await merge()).toBe(409)
  await refresh()
  expect(await approved()).toBe(true)
  await ok(`POST ${P}/approvals`, { reset_approvals_on_push: true })
  expect(await approved()).toBe(false)
  expect(await merge()).toBe(405)
  await approve()
  expect(await merge()).toBe(200)
  expect(await show(1)).toMatchObject({ state: 'merged' })
})

test('an approval is for one target branch', async () => {
  const { approve, approved, merge, ok, P, M } = await openScene()
  await ok(`POST ${P}/repository/branches`, { branch: 'scratch', ref: 'main' })
  await approve()
  await ok(`PUT ${M}`, { target_branch: 'scratch' })
  expect(await approved()).toBe(false)
  const [, note] = await ok<{ body: string }[]>(`GET ${M}/notes`)
  expect(note?.body).toBe('removed all approvals')
  await ok(`PUT ${M}`, { target_branch: 'main' })
  expect(await merge()).toBe(405)
})

test('an approval counts as long as its user may approve', async () => {
  const { approve, approved, merge, ok, call, database, bea, ada, show, P } = await openScene()
  const setState = (state: 'active' | 'blocked' | 'deactivated') =>
    database.updateTable('user').set({ state }).where('id', '=', bea.id).execute()
  const setLevel = (access_level: number) => ok(`PUT ${P}/members/${bea.id}`, { access_level })
  await approve()
  for (const [lose, regain] of [
    [() => setState('blocked'), () => setState('active')],
    [() => setState('deactivated'), () => setState('active')],
    [() => setLevel(20), () => setLevel(30)],
    [
      // Of the group that the project has left.
      async () => {
        await ok('POST /groups', { name: 'crew', path: 'crew', visibility: 'public' })
        await ok('POST /groups/crew/members', { user_id: bea.id, access_level: 30 })
        await call(`DELETE ${P}/members/${bea.id}`)
        await ok(`PUT ${P}/transfer`, { namespace: 'crew' })
        expect(await approved()).toBe(true)
        await ok(`PUT ${P}/transfer`, { namespace: ada.username })
      },
      () => ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 }),
    ],
    [
      () => call(`DELETE ${P}/members/${bea.id}`),
      () => ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 }),
    ],
  ] as const) {
    expect(await approved()).toBe(true)
    await lose()
    expect(await approved()).toBe(false)
    expect(await show(1)).toMatchObject({ detailed_merge_status: 'not_approved' })
    expect(await merge()).toBe(405)
    await regain()
  }
  await call(`POST ${P}/merge_requests/1/unapprove`, {}, bea)
  await ok(`POST ${P}/approvals`, { merge_requests_author_approval: true })
  await approve(ada)
  expect(await approved()).toBe(true)
  await ok(`POST ${P}/approvals`, { merge_requests_author_approval: false })
  expect(await merge()).toBe(405)
})
