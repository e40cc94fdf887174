import { expect, test } from 'vitest'

import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { findProject } from '../../../src/coordinator/hosting/projects/store.js'
import { markWaiting } from '../../../src/coordinator/planning/merge-requests/mark-waiting.js'
import { mergeNow } from '../../../src/coordinator/planning/merge-requests/merge/merge-now.js'
import { followPushOptions } from '../../../src/coordinator/planning/merge-requests/push-options.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { mergeSceneForFile } from '../planning/merge-requests/git-scene.js'
import type { Person } from '../support/test-app.js'

const CI_FILE = 'build: { script: [make], rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }\n'

const openMergeScene = mergeSceneForFile()

/** A merge request of `ada` from `topic` into `scratch`, whose pipeline has passed, and the maintainer `bea`. */
async function openScene(open?: OpenDatabase) {
  const scene = await openMergeScene(open)
  const { ok, commit, make, refresh, finishJobs, person, database, P, show } = scene
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 40 })
  await ok(`POST ${P}/repository/branches`, { branch: 'scratch', ref: 'main' })
  const head = await commit({ '.gitlab-ci.yml': CI_FILE }, { branch: 'topic', from: 'main' })
  await make('topic', { target_branch: 'scratch' })
  await refresh()
  await finishJobs('success')
  const row = () =>
    database.selectFrom('merge_request').selectAll().where('iid', '=', 1).executeTakeFirstOrThrow()
  const M = `${P}/merge_requests/1`
  return {
    ...scene,
    bea,
    head,
    M,
    row,
    /** Sets the merge request to be merged for `bea`, as if its pipeline was running. */
    wait: async (options: object = {}) => {
      const seen = await row()
      await inTransaction(database, (tx) => markWaiting(tx, bea, seen, { ...options, sha: head }))
    },
    waits: async () => (await show(1))['merge_when_pipeline_succeeds'],
    lastNotes: async () =>
      (await ok<{ body: string }[]>(`GET ${M}/notes?per_page=3`)).map(({ body }) => body),
  }
}

test('an automatic merge ends with a note when what it was asked for changes', async () => {
  const { ok, wait, waits, work, lastNotes, show, git, P, M, main } = await openScene()
  const changes: [change: string, body: object, back: object, because: string][] = [
    [M, { target_branch: 'main' }, { target_branch: 'scratch' }, 'the target branch was changed'],
    [M, { squash: true }, { squash: false }, 'squashing was changed'],
    [
      M,
      { remove_source_branch: true },
      { remove_source_branch: false },
      'the removal of the source branch was changed',
    ],
    [M, { title: 'Draft: New' }, { title: 'New' }, 'the merge request was marked as a draft'],
    [M, { state_event: 'close' }, { state_event: 'reopen' }, 'it was closed'],
    [P, { merge_method: 'ff' }, { merge_method: 'merge' }, 'the merge method was changed'],
    [P, { squash_option: 'always' }, { squash_option: 'default_off' }, 'squashing was changed'],
  ]
  for (const [route, body, back, because] of changes) {
    await wait()
    await ok(`PUT ${route}`, body)
    await work()
    expect([because, await waits()]).toEqual([because, false])
    expect(await lastNotes()).toContain(`aborted the automatic merge because ${because}`)
    await ok(`PUT ${route}`, back)
    await work()
  }
  const note = await ok<{ commands_changes: object }>(`POST ${M}/notes`, { body: '/target_branch main' })
  expect(note.commands_changes).toEqual({ target_branch: 'main' })
  await ok(`PUT ${M}`, { target_branch: 'scratch' })
  expect(await show(1)).toMatchObject({ state: 'opened' })
  expect(await git('rev-parse', 'main', 'scratch')).toBe(`${main}\n${main}`)
  await wait()
  await work()
  expect(await show(1)).toMatchObject({ state: 'merged', merged_by: { username: 'bea' } })
})

test('an automatic merge is not made once its user was blocked or deleted, or has lost the right', async () => {
  const { ok, call, wait, waits, work, lastNotes, database, bea, show, P } = await openScene()
  const because =
    'aborted the automatic merge because the user who has asked for the merge may not merge any more'
  const setState = (state: 'active' | 'blocked') =>
    database.updateTable('user').set({ state }).where('id', '=', bea.id).execute()
  const setLevel = (access_level: number) => ok(`PUT ${P}/members/${bea.id}`, { access_level })
  const protect = { name: 'scratch', push_access_level: 0, merge_access_level: 0 }
  const losses: [lose: () => Promise<unknown>, regain: () => Promise<unknown>][] = [
    [() => setState('blocked'), () => setState('active')],
    [() => setLevel(20), () => setLevel(40)],
    [() => ok(`POST ${P}/protected_branches`, protect), () => call(`DELETE ${P}/protected_branches/scratch`)],
    [() => ok(`POST ${P}/archive`), () => ok(`POST ${P}/unarchive`)],
  ]
  for (const [lose, regain] of losses) {
    await wait()
    await lose()
    await work()
    await regain()
    expect(await waits()).toBe(false)
    expect(await lastNotes()).toContain(because)
  }
  await wait()
  // As the deletion of the user leaves it.
  await database.updateTable('merge_request').set({ merge_user_id: null }).execute()
  await ok(`PUT ${P}/merge_requests/1`, { title: 'Other' })
  await work()
  expect(await show(1)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false })
})

test('an automatic merge is not made once its project has left the group by which its user could merge', async () => {
  const { ok, call, wait, waits, work, lastNotes, ada, bea, show, P } = await openScene()
  const crew = await ok<{ id: number }>('POST /groups', { name: 'crew', path: 'crew', visibility: 'public' })
  await ok(`POST /groups/${crew.id}/members`, { user_id: bea.id, access_level: 40 })
  await call(`DELETE ${P}/members/${bea.id}`)
  await ok(`PUT ${P}/transfer`, { namespace: 'crew' })
  await wait()
  await ok(`PUT ${P}/transfer`, { namespace: ada.username })
  await work()
  expect(await waits()).toBe(false)
  expect(await lastNotes()).toContain(
    'aborted the automatic merge because the user who has asked for the merge may not merge any more',
  )
  expect(await show(1)).toMatchObject({ state: 'opened' })
})

testAtNight('push options ask for a merge of what was pushed, for a user who may merge', async () => {
  const {
    ok,
    deps,
    services,
    database,
    commit,
    refresh,
    work,
    row,
    waits,
    person,
    bea,
    head,
    project,
    P,
    show,
  } = await openScene()
  const dev = await person('dev')
  await ok(`POST ${P}/members`, { user_id: dev.id, access_level: 30 })
  const rule = { name: 'scratch', push_access_level: 40, merge_access_level: 40 }
  await ok(`POST ${P}/protected_branches`, rule)
  const { repositories } = services
  const push = async (user: Person, after: string) => {
    const of = await findProject(database, project)
    if (!of) throw new Error('The project is gone')
    const options = ['merge_request.merge_when_pipeline_succeeds']
    const moved = { project: of, user, ref: 'refs/heads/topic', after, options }
    return (await followPushOptions({ ...deps, database, repositories }, moved)).join('\n')
  }
  expect(await push(dev, head)).toContain('You are not allowed to merge into scratch')
  expect(await waits()).toBe(false)
  const earlier = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', bea.id)
    .executeTakeFirstOrThrow()
  await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', bea.id).execute()
  // Read before the block, as the push has been.
  expect(await push({ ...bea, ...earlier }, head)).toContain('401 Unauthorized')
  expect(await waits()).toBe(false)
  await database.updateTable('user').set({ state: 'active' }).where('id', '=', bea.id).execute()
  expect(await push(bea, head)).not.toContain('WARNINGS')
  expect(await row()).toMatchObject({ merge_when_pipeline_succeeds: true, merge_user_id: bea.id })
  await commit({ 'b.txt': 'b' }, { branch: 'topic' })
  await refresh()
  await work()
  expect(await show(1)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false })
})

test('a merge that another user makes ends the automatic one, also if it fails', async () => {
  const { wait, waits, call, lastNotes, database, M } = await openScene()
  await wait({ squash: true })
  await database.updateTable('merge_request').set({ draft: true }).execute()
  expect((await call(`PUT ${M}/merge`))[0]).toBe(405)
  expect(await waits()).toBe(true)
  await database.updateTable('merge_request').set({ draft: false }).execute()
  expect(await call(`PUT ${M}/merge`)).toMatchObject([200, { state: 'merged', squash_commit_sha: null }])
  expect(await lastNotes()).toContain('aborted the automatic merge because it was merged before')
})

describeOnDatabase('a merge', (open) => {
  test('takes its head once, and is refused if a push, another target or a block comes before its lock', async () => {
    const { deps, database, project, commit, refresh, call, ok, show, row, bea, M, git } =
      await openScene(open)
    const scratch = await git('rev-parse', 'scratch')
    const merger = {
      project: await database
        .selectFrom('project')
        .selectAll()
        .where('id', '=', project)
        .executeTakeFirstOrThrow(),
      user: bea,
      accessLevel: 40,
      signal: new AbortController().signal,
    }
    /** Merges, and lets something happen after its commits were written, before the lock. */
    const mergeWhile = async (interleave: () => Promise<unknown>) => {
      const repositories = Object.create(deps.pushes.repositories) as typeof deps.pushes.repositories
      let isDone = false
      repositories.commitOf = async (...args) => {
        if (!isDone) await interleave()
        isDone = true
        return deps.pushes.repositories.commitOf(...args)
      }
      const gated = { ...deps, pushes: { ...deps.pushes, repositories } }
      await expect(mergeNow(gated, merger, await row(), {})).rejects.toMatchObject({
        status: expect.toBeOneOf([401, 405, 409]) as number,
      })
      expect(await show(1)).toMatchObject({ state: 'opened' })
    }
    await mergeWhile(() => commit({ 'b.txt': 'b' }, { branch: 'topic' }))
    // Nor is it merged as long as it does not show the commits.
    expect((await call(`PUT ${M}/merge`))[0]).toBe(409)
    await refresh()
    await mergeWhile(async () => {
      await commit({ 'c.txt': 'c' }, { branch: 'topic' })
      await refresh()
    })
    await mergeWhile(() => ok(`PUT ${M}`, { target_branch: 'main' }))
    await ok(`PUT ${M}`, { target_branch: 'scratch' })
    await mergeWhile(() =>
      database.updateTable('user').set({ state: 'blocked' }).where('id', '=', bea.id).execute(),
    )
    expect(await git('rev-parse', 'scratch')).toBe(scratch)
  })
})
