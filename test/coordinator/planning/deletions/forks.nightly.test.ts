import { expect, test, vi } from 'vitest'

import { gitOk } from '../../../support/git-client.js'
import { rowCounts } from '../../support/fill-tables.js'
import { type GitRecord, gitSceneForFile } from '../merge-requests/git-scene.js'

const openGitScene = gitSceneForFile()

/** A fork of `ada/app` that belongs to `bob`, made by the coordinator, with an open merge request into `ada/app`. */
async function openFork() {
  const scene = await openGitScene()
  const { ok, make, commit, refresh, person, services, project, P } = scene
  const bob = await person('bob')
  await ok(`POST ${P}/issues`, { title: 'a', labels: 'bug' })
  await ok(`POST ${P}/milestones`, { title: 'v1' })
  await commit({ 'b.txt': 'own' }, { branch: 'own', from: 'main' })
  await make('own')
  await refresh()
  const { id: fork } = await ok<{ id: number }>(`POST ${P}/fork`, {}, bob)
  const stop = new AbortController()
  const running = services.imports.run(stop.signal)
  await vi.waitFor(
    async () =>
      expect(await ok(`GET /projects/${fork}`, {}, bob)).toMatchObject({ import_status: 'finished' }),
    { timeout: 30_000, interval: 20 },
  )
  stop.abort()
  await running
  const head = await commit({ 'c.txt': 'new' }, { branch: 'topic', from: 'main', at: fork, as: bob })
  const theirs = await make('topic', { target_project_id: project }, { at: fork, as: bob })
  await refresh()
  return { ...scene, bob, fork, head, theirs: theirs.iid, F: `/projects/${fork}` }
}

test('a fork has nothing of what was planned in its source', async () => {
  const { fork, services, ok, bob, F } = await openFork()
  for (const list of ['issues', 'labels', 'milestones', 'merge_requests?state=all&scope=all']) {
    expect([list, await ok<unknown[]>(`GET ${F}/${list}`, undefined, bob)]).toEqual([list, []])
  }
  const refs = await gitOk(services.repositories.path(fork), 'for-each-ref', '--format=%(refname)')
  expect(refs.trim().split('\n')).toEqual(['refs/heads/main', 'refs/heads/own', 'refs/heads/topic'])
})

test('a deleted fork leaves its open merge request without a source project, with its commits', async () => {
  const { ok, call, show, refresh, git, head, theirs, bob, F, P } = await openFork()
  await ok(`DELETE ${F}`, undefined, bob)
  await refresh()
  expect(await show(theirs)).toMatchObject({
    state: 'opened',
    source_project_id: null,
    sha: head,
    merge_status: 'cannot_be_merged',
  })
  expect((await git('rev-parse', `refs/merge-requests/${theirs}/head`)).trim()).toBe(head)
  expect((await git('cat-file', '-t', head)).trim()).toBe('commit')
  expect((await call(`PUT ${P}/merge_requests/${theirs}/merge`))[0]).toBeGreaterThanOrEqual(400)
  expect(await ok(`PUT ${P}/merge_requests/${theirs}`, { state_event: 'close' })).toMatchObject({
    state: 'closed',
  })
  expect((await call(`PUT ${P}/merge_requests/${theirs}`, { state_event: 'reopen' }))[0]).toBe(400)
})

test('a fork that is deleted with its owner leaves its merge request, of the user ghost', async () => {
  const { ok, show, refresh, database, theirs, bob, head, git } = await openFork()
  await database.updateTable('user').set({ is_admin: true }).where('username', '=', 'ada').execute()
  await ok(`DELETE /users/${bob.id}?hard_delete=true`)
  await refresh()
  expect(await show(theirs)).toMatchObject({ source_project_id: null, author: { username: 'ghost' } })
  expect((await git('rev-parse', `refs/merge-requests/${theirs}/head`)).trim()).toBe(head)
})

test('a project that is no fork any more has no open merge request into its source', async () => {
  const { ok, call, make, commit, refresh, show, theirs, bob, fork, F, P } = await openFork()
  await commit({ 'd.txt': 'new' }, { branch: 'inner', from: 'main', at: fork, as: bob })
  const inner = await make('inner', {}, { at: fork, as: bob })
  await refresh()
  expect((await call(`DELETE ${F}/fork`, undefined, bob))[0]).toBe(204)
  expect(await show(theirs)).toMatchObject({
    state: 'closed',
    closed_by: { username: 'bob' },
    source_project_id: fork,
  })
  expect(await ok(`GET ${P}/merge_requests/${theirs}/resource_state_events`)).toMatchObject([
    { state: 'closed', user: { username: 'bob' } },
  ])
  expect(await ok(`GET ${F}/merge_requests/${inner.iid}`, undefined, bob)).toMatchObject({
    state: 'opened',
  })
  expect(await ok<GitRecord[]>(`GET ${P}/merge_requests?state=opened`)).toMatchObject([
    { source_branch: 'own' },
  ])
  expect(await ok(`GET ${P}/merge_requests?state=opened`)).toHaveLength(1)
  expect((await call(`DELETE ${F}/fork`, undefined, bob))[0]).toBe(304)
})

test('a deleted source takes the merge requests of its forks along, and no branch of a fork', async () => {
  const { ok, services, bob, fork, head, F, P, database } = await openFork()
  await ok(`DELETE ${P}`)
  expect(await rowCounts(database, ['merge_request', 'merge_request_version', 'issue', 'label'])).toEqual({})
  expect((await services.repositories.resolveRef(fork, 'refs/heads/topic'))?.sha).toBe(head)
  expect(await ok(`GET ${F}`, undefined, bob)).not.toHaveProperty('forked_from_project')
})
