import { expect, test } from 'vitest'

import type { ApiError } from '../../../../../src/coordinator/http/errors.js'
import { mergeNow } from '../../../../../src/coordinator/planning/merge-requests/merge/merge-now.js'
import { testAtNight } from '../../../../support/nightly.js'
import { addEmptyFork, addRepositoryMember, seedCommit } from '../../../support/repository-api.js'
import { EXTERNAL_URL } from '../../../support/test-app.js'
import { mergeableBranchesForFile } from './mergeable-branches.js'

const openMergeableBranches = mergeableBranchesForFile()

test('a merge moves the target to a merge commit, and the merge request is merged by the user', async () => {
  const api = await openMergeableBranches()
  const row = await api.open('topic')
  const before = await api.advanceMain()
  const merged = await api.merge(row)
  expect(merged).toMatchObject({
    state: 'merged',
    merged_by_id: api.owner.id,
    merge_commit_sha: await api.head('main'),
    squash_commit_sha: null,
    in_progress_merge_sha: null,
    merge_error: null,
  })
  expect(merged.merged_at).toBeGreaterThan(0)
  expect(await api.git('log', '-1', '--format=%P%n%B', 'main')).toBe(
    `${before} ${row.head_sha}\n` +
      "Merge branch 'topic' into 'main'\n\nTitle of topic\n\nSee merge request ada/app!1",
  )
  expect(api.pushed).toMatchObject([{ ref: 'main', sha: merged.merge_commit_sha, beforeSha: before }])
  const { open_merge_request_count: count } = await api.database
    .selectFrom('project')
    .select('open_merge_request_count')
    .where('id', '=', api.project.id)
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

testAtNight(
  'templates of the project give the messages, and messages of the request replace them',
  async () => {
    const api = await openMergeableBranches()
    const templates = {
      merge_commit_template: 'Merged by %{merged_by}: %{first_commit}',
      squash_commit_template: '%{title} (%{local_reference})',
      squash_option: 'always' as const,
    }
    await api.setProject(templates)
    await api.merge(await api.open('one'))
    expect(await api.git('log', '-1', '--format=%B', 'main')).toBe('Merged by ada <ada@example.com>: Add one')
    expect(await api.git('log', '-1', '--format=%B', 'main^2')).toBe('Title of one (!1)')
    const given = { merge_commit_message: 'Mine', squash_commit_message: 'All' }
    await api.merge(await api.open('two'), given)
    expect(await api.git('log', '-1', '--format=%s', 'main')).toBe('Mine')
    expect(await api.git('log', '-1', '--format=%s', 'main^2')).toBe('All')
  },
)

testAtNight('the project decides about squash before the user and the author', async () => {
  const api = await openMergeableBranches()
  const squashed = async (branch: string, option: 'never' | 'always' | 'default_off', wanted?: boolean) => {
    await api.setProject({ squash_option: option })
    const row = await api.open(branch, { squash: true })
    return (await api.merge(row, { squash: wanted })).squash_commit_sha !== null
  }
  expect(await squashed('a', 'never', true)).toBe(false)
  expect(await squashed('b', 'always', false)).toBe(true)
  expect(await squashed('c', 'default_off', false)).toBe(false)
  expect(await squashed('d', 'default_off')).toBe(true)
})

test('a fast-forward has no merge commit, and is refused when the target has moved on', async () => {
  const api = await openMergeableBranches()
  await api.setProject({ merge_method: 'ff' })
  const [first, second] = [await api.open('first'), await api.open('second')]
  const merged = await api.merge(first)
  expect(merged).toMatchObject({ state: 'merged', merge_commit_sha: null, squash_commit_sha: null })
  expect(await api.head('main')).toBe(first.head_sha)
  await expect(api.merge(second)).rejects.toMatchObject({
    status: 422,
    body: { message: 'Branch cannot be merged' },
  })
  expect((await api.row(second.id)).state).toBe('opened')
})

test.each([
  ['closed', { state: 'closed' as const }, 405],
  ['merged', { state: 'merged' as const }, 405],
  ['a draft', { draft: true }, 405],
  ['being merged', { state: 'locked' as const }, 409],
])('a merge request that is %s is not merged', async (_name, values, status) => {
  const api = await openMergeableBranches()
  const before = await api.head('main')
  await expect(api.merge(await api.open('topic', values))).rejects.toMatchObject({ status })
  expect(await api.head('main')).toBe(before)
})

test('conflicts, missing branches and branches without commits cannot be merged', async () => {
  const api = await openMergeableBranches()
  const conflicting = await api.open('README.md')
  await api.advanceMain({ 'README.md': 'other' })
  const missing = await api.open('topic', { source_branch: 'gone' })
  const elsewhere = await api.open('more', { target_branch: 'gone' })
  const nothing = await api.open('empty', { source_branch: 'main', target_branch: 'topic' })
  for (const row of [conflicting, missing, elsewhere, nothing]) {
    await expect(api.merge(row)).rejects.toMatchObject({ status: 422 })
    expect((await api.row(row.id)).state).toBe('opened')
  }
})

test('an expected head that is not the head of the source branch stops the merge', async () => {
  const api = await openMergeableBranches()
  const row = await api.open('topic')
  const next = await seedCommit(api, { more: 'more' }, { branch: 'topic' })
  await expect(api.merge(row, { sha: String(row.head_sha) })).rejects.toMatchObject({
    status: 409,
    body: { message: `SHA does not match HEAD of source branch: ${next}` },
  })
  const seen = { ...row, head_sha: next }
  // The merge request does not show these commits yet.
  await expect(api.merge(seen, { sha: next })).rejects.toMatchObject({ status: 409 })
  await api.database.updateTable('merge_request').set({ head_sha: next }).execute()
  expect((await api.merge(seen, { sha: next })).state).toBe('merged')
})

test('the level to merge decides on a protected branch, also when the user may not push', async () => {
  const api = await openMergeableBranches()
  const { id } = await addRepositoryMember(api, 'bea', 30)
  const user = await api.database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const merger = { ...api.merger, user, accessLevel: 30 }
  const deps = { pushes: api, externalUrl: EXTERNAL_URL }
  const rule = { project_id: api.project.id, kind: 'branch', name: 'main', created_at: 0 } as const
  await api.database
    .insertInto('protected_ref')
    .values({ ...rule, push_access_level: 40, merge_access_level: 40 })
    .execute()
  const row = await api.open('topic')
  await expect(mergeNow(deps, merger, row, {})).rejects.toMatchObject({ status: 401 })
  await api.database.updateTable('protected_ref').set({ merge_access_level: 30 }).execute()
  expect(await mergeNow(deps, merger, row, {})).toMatchObject({ state: 'merged', merged_by_id: id })
})

testAtNight('a branch of a fork is merged', async () => {
  const api = await openMergeableBranches()
  const fork = await addEmptyFork(api)
  const inFork = { repositories: api.repositories, project: fork }
  await api.git('push', '--quiet', api.repositories.path(fork.id), 'main')
  const head = await seedCommit(inFork, { fork: 'fork' })
  const row = await api.open('topic', { source_project_id: fork.id, source_branch: 'main', head_sha: head })
  expect((await api.merge(row)).state).toBe('merged')
  expect(await api.git('rev-parse', 'main^2')).toBe(head)
})

testAtNight('of two users who merge at the same moment one wins, and the other gets the reason', async () => {
  const api = await openMergeableBranches()
  const row = await api.open('topic')
  const results = await Promise.allSettled([api.merge(row), api.merge(row)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  expect(['405', '409']).toContain(reasons.map((reason) => (reason as ApiError).status).join())
  expect(await api.git('rev-list', '--count', '--merges', 'main')).toBe('1')
  expect(api.pushed).toHaveLength(1)
})

testAtNight('merge requests that are merged into one branch at the same moment are all merged', async () => {
  const api = await openMergeableBranches()
  const rows = [await api.open('one'), await api.open('two'), await api.open('three')]
  const merged = await Promise.all(rows.map((row) => api.merge(row)))
  expect(merged.map(({ state }) => state)).toEqual(['merged', 'merged', 'merged'])
  expect(await api.git('rev-list', '--count', '--merges', 'main')).toBe('3')
})

testAtNight('the source branch is to be deleted if the merging user wants it, or the author', async () => {
  const api = await openMergeableBranches()
  const isWanted = async (branch: string, author: boolean, user?: boolean) => {
    const row = await api.open(branch, {
      force_remove_source_branch: author,
      remove_source_branch_by_id: author ? api.owner.id : null,
    })
    await api.merge(row, { should_remove_source_branch: user })
    const tasks = api.database.selectFrom('merge_request_task').where('merge_request_id', '=', row.id)
    return (await tasks.select('kind').execute()).some(({ kind }) => kind === 'delete_source_branch')
  }
  expect(await isWanted('a', false)).toBe(false)
  expect(await isWanted('b', true)).toBe(true)
  expect(await isWanted('c', true, false)).toBe(false)
  expect(await isWanted('d', false, true)).toBe(true)
})

test('approvals that the project requires are waited for', async () => {
  const api = await openMergeableBranches()
  await api.setProject({ approvals_before_merge: 1 })
  const row = await api.open('topic')
  await expect(api.merge(row)).rejects.toMatchObject({ status: 405 })
  const { id: user_id } = await addRepositoryMember(api, 'bea', 30)
  await api.database
    .insertInto('merge_request_approval')
    .values({ merge_request_id: row.id, user_id, created_at: 0 })
    .execute()
  expect((await api.merge(row)).state).toBe('merged')
})
