import { expect, test } from 'vitest'

import { testAtNight } from '../../../support/nightly.js'
import type { Person } from '../../support/test-app.js'
import { gitSceneForFile } from '../merge-requests/git-scene.js'

const openGitScene = gitSceneForFile()

async function openScene() {
  const scene = await openGitScene()
  const { ok, P, refresh, commit } = scene
  const issue = async (values: object = {}, at: string = P) =>
    (await ok(`POST ${at}/issues`, { title: 'An issue', ...values })).iid
  /** Texts of the notes that say what names an issue or a merge request. */
  const mentions = async (path: string, as?: Person) => {
    const route = `GET ${path}/notes?sort=asc&per_page=100`
    const notes = await ok<{ body: string; system: boolean }[]>(route, undefined, as)
    return notes
      .filter(({ system, body }) => system && body.startsWith('mentioned in'))
      .map(({ body }) => body)
  }
  return { ...scene, issue, mentions, refresh, commit }
}

test('an issue or a merge request that a text names has a note that says so, once', async () => {
  const { ok, P, issue, mentions, commit, make, refresh } = await openScene()
  await issue()
  await issue({ description: 'As #1 and app#1, not `#2`, #2 or #99' })
  expect(await mentions(`${P}/issues/1`)).toEqual(['mentioned in issue #2'])
  expect(await mentions(`${P}/issues/2`)).toEqual([])
  await ok(`PUT ${P}/issues/2`, { description: 'Still #1, and #3' })
  await issue()
  await ok(`POST ${P}/issues/3/notes`, { body: 'See #1.' })
  await ok(`POST ${P}/issues/2/notes`, { body: 'See #1 again, and ada/app#3.' })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { description: 'For #1' })
  await refresh()
  await ok(`POST ${P}/merge_requests/1/notes`, { body: 'For #1 and #2' })
  await ok(`POST ${P}/issues/1/notes`, { body: 'Done by !1' })
  expect(await mentions(`${P}/issues/1`)).toEqual([
    'mentioned in issue #2',
    'mentioned in issue #3',
    'mentioned in merge request !1',
  ])
  expect(await mentions(`${P}/issues/2`)).toEqual(['mentioned in merge request !1'])
  expect(await mentions(`${P}/issues/3`)).toEqual(['mentioned in issue #2'])
  expect(await mentions(`${P}/merge_requests/1`)).toEqual(['mentioned in issue #1'])
})

test('no note says what not everybody may see who sees the note', async () => {
  const { ok, P, issue, mentions, person } = await openScene()
  await issue()
  await issue({ confidential: true, description: 'As #1' })
  await ok(`POST ${P}/issues/1/notes`, { body: 'Internal: as #1 and #2', internal: true })
  const hidden = await ok<{ id: number }>('POST /projects', { name: 'hidden', visibility: 'private' })
  await issue({ description: 'As ada/app#1' }, `/projects/${hidden.id}`)
  const open = await ok<{ id: number }>('POST /projects', { name: 'open', visibility: 'public' })
  const atOpen = `/projects/${open.id}`
  await issue({ description: 'As ada/app#1, app#2 and hidden#1' }, atOpen)
  await ok(`PUT ${atOpen}`, { issues_access_level: 'private' })
  await issue({ description: 'As ada/app#1, too' }, atOpen)
  expect(await mentions(`${P}/issues/1`)).toEqual(['mentioned in issue ada/open#1'])
  expect(await mentions(`/projects/${hidden.id}/issues/1`)).toEqual(['mentioned in issue ada/open#1'])
  // Somebody who does not see an issue adds nothing to it.
  await ok(`PUT ${atOpen}`, { issues_access_level: 'enabled' })
  const eve = await person('eve')
  await ok(`POST ${atOpen}/issues`, { title: 'From outside', description: 'ada/hidden#1, ada/app#2' }, eve)
  expect(await mentions(`/projects/${hidden.id}/issues/1`)).toEqual(['mentioned in issue ada/open#1'])
  expect(await mentions(`${P}/issues/2`)).toEqual(['mentioned in issue ada/open#1'])
})

test('a note about a place that has become hidden, or is gone, is hidden from those who do not see it', async () => {
  const { ok, P, issue, mentions, person, call, database } = await openScene()
  const eve = await person('eve')
  const guest = await person('guest')
  await ok(`POST ${P}/members`, { user_id: guest.id, access_level: 10 })
  await issue()
  const open = await ok<{ id: number }>('POST /projects', { name: 'open', visibility: 'public' })
  const atOpen = `/projects/${open.id}`
  await issue({ description: 'As ada/app#1' }, atOpen)
  await issue({ description: 'As #1' })
  const said = ['mentioned in issue ada/open#1', 'mentioned in issue #2']
  const seen = async (as?: Person) => mentions(`${P}/issues/1`, as)
  const threads = (as: Person) => ok<object[]>(`GET ${P}/issues/1/discussions`, undefined, as)
  expect([await seen(), await seen(eve)]).toEqual([said, said])
  const [note] = await ok<{ id: number }[]>(`GET ${P}/issues/1/notes?sort=asc`)
  for (const change of [
    { visibility: 'private' },
    { visibility: 'public', issues_access_level: 'private' },
  ]) {
    await ok(`PUT ${atOpen}`, change)
    for (const other of [eve, guest]) {
      expect(await seen(other)).toEqual(said.slice(1))
      expect(await threads(other)).toHaveLength(1)
      expect((await call(`GET ${P}/issues/1/notes/${note?.id}`, undefined, other))[0]).toBe(404)
    }
    expect(await seen()).toEqual(said)
  }
  await ok(`PUT ${atOpen}`, { issues_access_level: 'enabled' })
  expect(await seen(eve)).toEqual(said)
  await ok(`PUT ${P}/issues/2`, { confidential: true })
  expect([await seen(eve), await seen()]).toEqual([said.slice(0, 1), said])
  await database.updateTable('project').set({ deletion_started_at: 1 }).where('id', '=', open.id).execute()
  expect([await seen(eve), await seen()]).toEqual([[], said.slice(1)])
})

testAtNight('a note about a commit or a merge request is for those who may read the code', async () => {
  const { ok, P, issue, mentions, person, commit, make, refresh } = await openScene()
  const eve = await person('eve')
  await issue()
  await ok(`POST ${P}/repository/commits`, {
    branch: 'main',
    commit_message: 'For #1',
    actions: [{ action: 'create', file_path: 'c.txt', content: 'c' }],
  })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic', { description: 'For #1' })
  await refresh()
  expect(await mentions(`${P}/issues/1`, eve)).toHaveLength(2)
  await ok(`PUT ${P}`, { repository_access_level: 'private', merge_requests_access_level: 'private' })
  expect(await mentions(`${P}/issues/1`, eve)).toEqual([])
  expect(await mentions(`${P}/issues/1`)).toHaveLength(2)
})

testAtNight('a commit of the default branch leaves a note on the issues that its message names', async () => {
  const { ok, P, issue, mentions } = await openScene()
  for (let count = 0; count < 2; count += 1) await issue()
  const actions = [{ action: 'create', file_path: 'c.txt', content: 'c' }]
  const { id } = await ok<{ id: string }>(`POST ${P}/repository/commits`, {
    branch: 'main',
    commit_message: 'Closes #1, see #2',
    actions,
  })
  await ok(`POST ${P}/repository/commits`, {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'For #2',
    actions: [{ action: 'create', file_path: 'd.txt', content: 'd' }],
  })
  const said = [`mentioned in commit ${id.slice(0, 8)}`]
  expect(await mentions(`${P}/issues/1`)).toEqual(said)
  expect(await mentions(`${P}/issues/2`)).toEqual(said)
  expect((await ok(`GET ${P}/issues/1`)).state).toBe('closed')
})
