import { expect, test } from 'vitest'

import { testAtNight } from '../../../../support/nightly.js'
import { LINES, mergeSceneForFile, withLine } from '../git-scene.js'

const openMergeScene = mergeSceneForFile()

const CI_FILE = 'build: { script: [make], rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }\n'

test('a merge responds with the merged record, and deletes the source branch if that is wanted', async () => {
  const { ok, call, commit, make, refresh, work, P, ada } = await openMergeScene()
  const head = await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { title: 'Add b' })
  await refresh()
  const merged = await ok(`PUT ${P}/merge_requests/1/merge`, { should_remove_source_branch: true, sha: head })
  expect(merged).toMatchObject({ state: 'merged', merged_by: { id: ada.id }, merge_error: null })
  const main = await ok<{ commit: { id: string; parent_ids: string[] } }>(`GET ${P}/repository/branches/main`)
  expect(main.commit).toMatchObject({ id: merged['merge_commit_sha'] })
  expect(main.commit.parent_ids).toContain(head)
  await work()
  expect((await call(`GET ${P}/repository/branches/topic`))[0]).toBe(404)
  expect(await call(`PUT ${P}/merge_requests/1/merge`)).toEqual([405, { message: '405 Method Not Allowed' }])
})

testAtNight('a source branch that has moved since the merge is kept', async () => {
  const { ok, commit, make, refresh, work, P } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { remove_source_branch: true })
  await refresh()
  await ok(`PUT ${P}/merge_requests/1/merge`)
  const moved = await commit({ 'c.txt': 'c' }, { branch: 'topic' })
  await work()
  expect(await ok(`GET ${P}/repository/branches/topic`)).toMatchObject({ commit: { id: moved } })
})

test('squash, messages and the method of the project decide about the commits', async () => {
  const { ok, commit, make, refresh, P, git } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await commit({ 'c.txt': 'c' }, { branch: 'topic' })
  await make('topic', { title: 'Add two' })
  await refresh()
  const options = { squash: true, squash_commit_message: 'Both', merge_commit_message: 'Merged' }
  const merged = await ok(`PUT ${P}/merge_requests/1/merge`, options)
  expect(await git('log', '--topo-order', '--format=%s', 'main')).toBe('Merged\nBoth\nChange main')
  expect(merged['squash_commit_sha']).toBe(await git('rev-parse', 'main^2'))
  await ok(`PUT ${P}`, { merge_method: 'ff' })
  const head = await commit({ 'd.txt': 'd' }, { branch: 'next', from: 'main' })
  await make('next')
  await refresh()
  expect(await ok(`PUT ${P}/merge_requests/2/merge`)).toMatchObject({ merge_commit_sha: null })
  expect(await git('rev-parse', 'main')).toBe(head)
})

test('is refused to those who may not merge, with another head, with conflicts and for drafts', async () => {
  const { ok, call, commit, make, refresh, person, P } = await openMergeScene()
  const head = await commit({ 'a.txt': withLine(1, 'topic') }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const merge = (body: object = {}, as?: Awaited<ReturnType<typeof person>>) =>
    call(`PUT ${P}/merge_requests/1/merge`, body, as)
  expect(await merge({}, await person('visitor'))).toEqual([401, { message: '401 Unauthorized' }])
  expect(await merge({ sha: '1'.repeat(40) })).toEqual([
    409,
    { message: `SHA does not match HEAD of source branch: ${head}` },
  ])
  await ok(`PUT ${P}/merge_requests/1`, { title: 'Draft: x' })
  expect((await merge())[0]).toBe(405)
  await ok(`PUT ${P}/merge_requests/1`, { title: 'x' })
  await commit({ 'a.txt': withLine(1, 'main') }, { branch: 'main' })
  expect(await merge()).toEqual([422, { message: 'Branch cannot be merged' }])
  expect(await ok(`GET ${P}/merge_requests/1`)).toMatchObject({ state: 'opened' })
})

test('of two merges at the same moment one wins, and the other gets the reason', async () => {
  const { call, commit, make, refresh, P } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const both = await Promise.all([1, 2].map(() => call(`PUT ${P}/merge_requests/1/merge`)))
  const [won, lost] = both.toSorted(([one], [other]) => one - other)
  expect(won).toMatchObject([200, { state: 'merged' }])
  expect([
    [405, { message: '405 Method Not Allowed' }],
    [409, { message: 'The merge request is being merged by another request' }],
    [422, { message: 'Branch cannot be merged' }],
  ]).toContainEqual(lost)
})

test('waits for the head pipeline if that is wanted, and is made when it has succeeded', async () => {
  const { ok, show, commit, make, refresh, work, finishJobs, P, ada } = await openMergeScene()
  await commit({ '.gitlab-ci.yml': CI_FILE }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const waiting = await ok(`PUT ${P}/merge_requests/1/merge`, { merge_when_pipeline_succeeds: true })
  expect(waiting).toMatchObject({
    state: 'opened',
    merge_when_pipeline_succeeds: true,
    merge_user: { id: ada.id },
  })
  await work()
  expect(await show(1)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
  await finishJobs('success')
  await work()
  expect(await show(1)).toMatchObject({ state: 'merged', merge_when_pipeline_succeeds: false })
})

testAtNight('goes on waiting after a pipeline that failed, and is made when it is retried', async () => {
  const { ok, show, commit, make, refresh, work, finishJobs, retry, P } = await openMergeScene()
  await commit({ '.gitlab-ci.yml': CI_FILE }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  await ok(`PUT ${P}/merge_requests/1/merge`, { auto_merge: true })
  await finishJobs('failed')
  await work()
  expect(await show(1)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true })
  await retry()
  await finishJobs('success')
  await work()
  expect(await show(1)).toMatchObject({ state: 'merged' })
})

test('a push ends the wait, as does the user who cancels it', async () => {
  const { ok, call, show, commit, make, refresh, P } = await openMergeScene()
  await commit({ '.gitlab-ci.yml': CI_FILE }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const cancel = `POST ${P}/merge_requests/1/cancel_merge_when_pipeline_succeeds`
  expect(await call(cancel)).toEqual([406, { message: '406 Not Acceptable' }])
  await ok(`PUT ${P}/merge_requests/1/merge`, { merge_when_pipeline_succeeds: true })
  expect(await call(cancel)).toEqual([201, { status: 'success' }])
  expect(await show(1)).toMatchObject({ merge_when_pipeline_succeeds: false, merge_user: null })
  await ok(`PUT ${P}/merge_requests/1/merge`, { merge_when_pipeline_succeeds: true })
  await commit({ 'b.txt': 'b' }, { branch: 'topic' })
  await refresh()
  expect(await show(1)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false })
  await ok(`PUT ${P}/merge_requests/1`, { state_event: 'close' })
  expect((await call(cancel))[0]).toBe(405)
})

testAtNight('says why a merge that waited was not made', async () => {
  const { ok, show, commit, make, refresh, work, finishJobs, person, database, P } = await openMergeScene()
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  await database.updateTable('protected_ref').set({ merge_access_level: 30 }).execute()
  await commit({ '.gitlab-ci.yml': CI_FILE }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  await ok(`PUT ${P}/merge_requests/1/merge`, { merge_when_pipeline_succeeds: true }, bea)
  await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', bea.id).execute()
  await finishJobs('success')
  await work()
  expect(await show(1)).toMatchObject({
    state: 'opened',
    merge_when_pipeline_succeeds: false,
    merge_error: 'Automatic merge failed: The user who has asked for the merge may not merge any more.',
  })
})

testAtNight('a rebase puts the commits of the source branch on the target branch', async () => {
  const { ok, call, show, commit, make, refresh, work, P, git } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  const main = await commit({ 'a.txt': withLine(9, 'main') }, { branch: 'main' })
  await refresh()
  expect(await call(`PUT ${P}/merge_requests/1/rebase`)).toEqual([202, { rebase_in_progress: true }])
  const polled = `GET ${P}/merge_requests/1?include_rebase_in_progress=true`
  expect(await ok(polled)).toMatchObject({ rebase_in_progress: true })
  expect((await call(`PUT ${P}/merge_requests/1/rebase`))[0]).toBe(409)
  await work()
  await refresh()
  expect(await git('rev-parse', 'topic^')).toBe(main)
  expect(await ok(polled)).toMatchObject({ rebase_in_progress: false, merge_error: null })
  expect((await show(1)).sha).toBe(await git('rev-parse', 'topic'))
})

testAtNight('a rebase that is to skip CI starts no pipeline for the new head', async () => {
  const { ok, commit, make, refresh, work, database, P, git } = await openMergeScene()
  const rules = 'rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]'
  const files = { 'b.txt': 'b', '.gitlab-ci.yml': `build: { script: [make], ${rules} }\n` }
  await commit(files, { branch: 'topic', from: 'main' })
  await make('topic')
  const rebasedPipelines = async (options: object) => {
    await commit({ 'main.txt': JSON.stringify(options) }, { branch: 'main' })
    await refresh()
    await ok(`PUT ${P}/merge_requests/1/rebase`, options)
    await work()
    await refresh()
    const head = await git('rev-parse', 'topic')
    expect(await git('rev-parse', 'topic^')).toBe(await git('rev-parse', 'main'))
    return (await database.selectFrom('pipeline').select('id').where('sha', '=', head).execute()).length
  }
  expect(await rebasedPipelines({ skip_ci: true })).toBe(0)
  expect(await rebasedPipelines({ skip_ci: false })).toBe(1)
})

test('with semi-linear history a branch is merged by a merge commit, once it is rebased', async () => {
  const { ok, call, commit, make, refresh, work, P, git } = await openMergeScene()
  await ok(`PUT ${P}`, { merge_method: 'rebase_merge' })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  const main = await commit({ 'c.txt': 'c' }, { branch: 'main' })
  await refresh()
  expect((await call(`PUT ${P}/merge_requests/1/merge`))[0]).toBe(422)
  await ok(`PUT ${P}/merge_requests/1/rebase`)
  await work()
  await refresh()
  const merged = await ok(`PUT ${P}/merge_requests/1/merge`)
  expect(merged['merge_commit_sha']).toBe(await git('rev-parse', 'main'))
  expect(await git('rev-parse', 'main^1', 'main^2^')).toBe(`${main}\n${main}`)
})

testAtNight('a rebase with conflicts says so and changes nothing', async () => {
  const { ok, commit, make, refresh, work, P, git } = await openMergeScene()
  const head = await commit({ 'a.txt': withLine(1, 'topic') }, { branch: 'topic', from: 'main' })
  await make('topic')
  await commit({ 'a.txt': withLine(1, 'main') }, { branch: 'main' })
  await refresh()
  await ok(`PUT ${P}/merge_requests/1/rebase`)
  await work()
  expect(await git('rev-parse', 'topic')).toBe(head)
  expect(await ok(`GET ${P}/merge_requests/1?include_rebase_in_progress=true`)).toMatchObject({
    rebase_in_progress: false,
    merge_error: 'Rebase failed: the changes conflict. Rebase the branch locally.',
  })
})

test('a rebase requires that the caller may move the source branch backwards', async () => {
  const { ok, call, commit, make, person, refresh, P } = await openMergeScene()
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await commit({ 'a.txt': LINES.join('') + 'more\n' }, { branch: 'main' })
  await refresh()
  expect((await call(`PUT ${P}/merge_requests/1/rebase`, {}, await person('visitor')))[0]).toBe(403)
  await ok(`POST ${P}/protected_branches`, { name: 'topic' })
  expect(await call(`PUT ${P}/merge_requests/1/rebase`)).toEqual([
    403,
    { message: '403 Forbidden - Source branch is protected from force push' },
  ])
})

testAtNight('the commit of the trial merge is named as long as the branches do not conflict', async () => {
  const { call, commit, make, refresh, P, git } = await openMergeScene()
  await commit({ 'a.txt': withLine(1, 'topic') }, { branch: 'topic', from: 'main' })
  await make('topic')
  expect((await call(`GET ${P}/merge_requests/1/merge_ref`))[0]).toBe(400)
  await refresh()
  expect(await call(`GET ${P}/merge_requests/1/merge_ref`)).toEqual([
    200,
    { commit_id: await git('rev-parse', 'refs/merge-requests/1/merge') },
  ])
  await commit({ 'a.txt': withLine(1, 'main') }, { branch: 'main' })
  await refresh()
  expect(await call(`GET ${P}/merge_requests/1/merge_ref`)).toEqual([
    400,
    { message: '400 Bad request - Merge request is not mergeable' },
  ])
})

testAtNight('the merge is reverted, and picked onto another branch, by its merge commit', async () => {
  const { ok, commit, make, refresh, P, git } = await openMergeScene()
  await ok(`POST ${P}/repository/branches`, { branch: 'stable', ref: 'main' })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await commit({ 'c.txt': 'c' }, { branch: 'topic' })
  await make('topic')
  await refresh()
  const { merge_commit_sha: merge } = await ok(`PUT ${P}/merge_requests/1/merge`)
  const commits = `POST ${P}/repository/commits/${String(merge)}`
  await ok(`${commits}/cherry_pick`, { branch: 'stable' })
  expect(await git('ls-tree', '--name-only', 'stable')).toBe('a.txt\nb.txt\nc.txt')
  await ok(`${commits}/revert`, { branch: 'main' })
  expect(await git('ls-tree', '--name-only', 'main')).toBe('a.txt')
})
