import { expect, test } from 'vitest'

import { collaborationBranches } from '../../../src/coordinator/planning/access/collaboration-branches.js'
import { testAtNight } from '../../support/nightly.js'
import { mergeSceneForFile } from '../planning/merge-requests/git-scene.js'

const openMergeScene = mergeSceneForFile()

/** The fork of `eve`, whose branch `topic` is to be merged into `ada/app`, and `bea`, who is a maintainer there alone. */
async function openScene(options: object = {}) {
  const scene = await openMergeScene()
  const { ok, call, commit, make, refresh, person, database, git, services, project, P } = scene
  const [eve, bea] = [await person('eve'), await person('bea')]
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 40 })
  const { id: fork } = await ok<{ id: number }>('POST /projects', { name: 'fork', visibility: 'public' }, eve)
  await database.updateTable('project').set({ forked_from_id: project }).where('id', '=', fork).execute()
  await git('push', '--quiet', services.repositories.path(fork), 'main')
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main', at: fork, as: eve })
  await make('topic', { target_project_id: project, ...options }, { at: fork, as: eve })
  await refresh()
  return {
    ...scene,
    eve,
    bea,
    fork,
    M: `${P}/merge_requests/1`,
    exists: async () => (await services.repositories.resolveRef(fork, 'refs/heads/topic')) !== undefined,
    /** Branches of the fork to which `bea` may push because of the merge request. */
    pushable: async () => {
      const found = await database
        .selectFrom('project')
        .selectAll()
        .where('id', '=', fork)
        .executeTakeFirstOrThrow()
      return collaborationBranches({ ...scene.deps, database }, bea, found)
    },
    block: (id: number) =>
      database.updateTable('user').set({ state: 'blocked' }).where('id', '=', id).execute(),
    call,
  }
}

test('who may not push to a fork can neither let others push to its branch nor have it deleted', async () => {
  const { ok, bea, M, pushable, exists, work, show } = await openScene()
  await ok(`PUT ${M}`, { allow_collaboration: true, remove_source_branch: true }, bea)
  expect(await show(1)).toMatchObject({ allow_collaboration: false, force_remove_source_branch: false })
  expect(await pushable()).toEqual([])
  await ok(`PUT ${M}/merge`, { should_remove_source_branch: true }, bea)
  await work()
  expect(await exists()).toBe(true)
})

testAtNight(
  'a branch of a fork is deleted and pushed to for the user who wants that, while he may push himself',
  async () => {
    const options = { remove_source_branch: true, allow_collaboration: true }
    const { ok, bea, eve, M, P, pushable, exists, work, show, block } = await openScene(options)
    expect(await pushable()).toEqual(['topic'])
    await ok(`POST ${P}/repository/branches`, { branch: 'scratch', ref: 'main' })
    await ok(`PUT ${M}`, { target_branch: 'scratch' }, bea)
    expect(await show(1)).toMatchObject({ allow_collaboration: false, force_remove_source_branch: false })
    await ok(`PUT ${M}`, options, eve)
    expect(await pushable()).toEqual(['topic'])
    await block(eve.id)
    expect(await pushable()).toEqual([])
    await ok(`PUT ${M}/merge`, {}, bea)
    await work()
    expect(await exists()).toBe(true)
  },
)

test('a branch of a fork is neither deleted nor pushed to once the fork has left the group by which that was allowed', async () => {
  const options = { remove_source_branch: true, allow_collaboration: true }
  const { ok, call, bea, eve, ada, fork, M, pushable, exists, work } = await openScene(options)
  const crew = await ok<{ id: number }>('POST /groups', { name: 'crew', path: 'crew', visibility: 'public' })
  await ok(`POST /groups/${crew.id}/members`, { user_id: eve.id, access_level: 40 })
  await ok(`PUT /projects/${fork}/transfer`, { namespace: 'crew' }, eve)
  await call(`DELETE /projects/${fork}/members/${eve.id}`)
  expect(await pushable()).toEqual(['topic'])
  await ok(`PUT /projects/${fork}/transfer`, { namespace: ada.username })
  expect(await pushable()).toEqual([])
  await ok(`PUT ${M}/merge`, {}, bea)
  await work()
  expect(await exists()).toBe(true)
})

testAtNight(
  'the author of a fork has its branch deleted, also if a maintainer of the target merges',
  async () => {
    const { ok, bea, M, exists, work } = await openScene({ remove_source_branch: true })
    await ok(`PUT ${M}/merge`, { should_remove_source_branch: true }, bea)
    await work()
    expect(await exists()).toBe(false)
  },
)

test('a protected source branch is kept by every merge that asks for its deletion', async () => {
  const { ok, call, commit, make, refresh, work, P } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'develop', from: 'main' })
  await make('develop', { remove_source_branch: true })
  await refresh()
  await ok(`POST ${P}/protected_branches`, { name: 'dev*' })
  await ok(`PUT ${P}/merge_requests/1/merge`, { should_remove_source_branch: true })
  await work()
  expect((await call(`GET ${P}/repository/branches/develop`))[0]).toBe(200)
})

test('a source branch stays once the user who wanted its deletion may not push to it any more', async () => {
  const scene = await openMergeScene()
  const { ok, call, commit, make, refresh, work, person, database, ada, P } = scene
  const bea = await person('bea')
  const setLevel = (access_level: number) => ok(`PUT ${P}/members/${bea.id}`, { access_level })
  const protect = { name: 'topic*', push_access_level: 40, merge_access_level: 40 }
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  const losses: [lose: () => Promise<unknown>, regain: () => Promise<unknown>][] = [
    [() => setLevel(20), () => setLevel(30)],
    [
      () => call(`DELETE ${P}/members/${bea.id}`),
      () => ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 }),
    ],
    [() => ok(`POST ${P}/protected_branches`, protect), () => call(`DELETE ${P}/protected_branches/topic*`)],
    [
      async () => {
        await ok('POST /groups', { name: 'crew', path: 'crew', visibility: 'public' })
        await ok('POST /groups/crew/members', { user_id: bea.id, access_level: 30 })
        await call(`DELETE ${P}/members/${bea.id}`)
        await ok(`PUT ${P}/transfer`, { namespace: 'crew' })
        await ok(`PUT ${P}/transfer`, { namespace: ada.username })
      },
      () => ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 }),
    ],
  ]
  const exists = async (branch: string) => (await call(`GET ${P}/repository/branches/${branch}`))[0] === 200
  for (const [index, [lose, regain]] of losses.entries()) {
    const branch = `topic${index}`
    await commit({ [`${branch}.txt`]: 'b' }, { branch, from: 'main' })
    await make(branch, { remove_source_branch: true }, { as: bea })
    await refresh()
    await ok(`PUT ${P}/merge_requests/${index + 1}/merge`)
    await lose()
    await work()
    expect([branch, await exists(branch)]).toEqual([branch, true])
    await regain()
  }
  await commit({ 'last.txt': 'b' }, { branch: 'last', from: 'main' })
  await make('last', { remove_source_branch: true }, { as: bea })
  await refresh()
  await ok(`PUT ${P}/merge_requests/${losses.length + 1}/merge`)
  await work()
  expect(await exists('last')).toBe(false)
  expect(await database.selectFrom('merge_request_task').selectAll().execute()).toEqual([])
})

test('a branch of a fork that is protected since is not pushed to by members of the target', async () => {
  const { ok, eve, fork, pushable } = await openScene({ allow_collaboration: true })
  expect(await pushable()).toEqual(['topic'])
  const rule = { name: 'topic', push_access_level: 0, merge_access_level: 0 }
  await ok(`POST /projects/${fork}/protected_branches`, rule, eve)
  expect(await pushable()).toEqual([])
})
