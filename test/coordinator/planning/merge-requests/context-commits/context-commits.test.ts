import { expect, test } from 'vitest'

import { gitSceneForFile } from '../git-scene.js'

const openGitScene = gitSceneForFile()

/** A merge request of `topic`, after another commit of `main`. */
async function openScene() {
  const scene = await openGitScene()
  const { commit, make, main, P } = scene
  const next = await commit({ 'b.txt': 'b\n' }, { branch: 'main' })
  await commit({ 'c.txt': 'c\n' }, { branch: 'topic', from: 'main' })
  await make('topic')
  return { ...scene, main, next, C: `${P}/merge_requests/1/context_commits` }
}

test('commits are added to a merge request, shown in their order, and removed', async () => {
  const { ok, call, main, next, C } = await openScene()
  expect(await ok(`GET ${C}`)).toEqual([])
  expect(await ok(`POST ${C}`, { commits: [next, main] })).toMatchObject([
    { id: next, short_id: next.slice(0, 8), title: 'Change main', parent_ids: [main] },
    { id: main, parent_ids: [] },
  ])
  expect(await ok(`GET ${C}`)).toMatchObject([{ id: next }, { id: main }])
  expect(await ok(`GET ${C}?per_page=1&page=2`)).toMatchObject([{ id: main }])
  expect((await call(`DELETE ${C}`, { commits: [next] }))[0]).toBe(204)
  expect(await ok(`GET ${C}`)).toMatchObject([{ id: main }])
  expect((await call(`DELETE ${C}`, { commits: [next] }))[0]).toBe(404)
})

test('commits must exist, and are added once', async () => {
  const { ok, call, main, C } = await openScene()
  const unknown = '1'.repeat(40)
  expect(await call(`POST ${C}`, { commits: [main, unknown] })).toEqual([
    400,
    { error: `commits: the project has no commit ${unknown}` },
  ])
  expect((await call(`POST ${C}`, { commits: ['main'] }))[0]).toBe(400)
  expect((await call(`POST ${C}`, { commits: [] }))[0]).toBe(400)
  await ok(`POST ${C}`, { commits: [main] })
  expect(await call(`POST ${C}`, { commits: [main] })).toEqual([
    400,
    { message: `Context commits: ${main} are already created` },
  ])
  expect(await ok(`GET ${C}`)).toHaveLength(1)
})

test('only those who may change the merge request change its context', async () => {
  const { call, person, main, C } = await openScene()
  const visitor = await person('vera')
  expect((await call(`GET ${C}`, undefined, visitor))[0]).toBe(200)
  expect((await call(`POST ${C}`, { commits: [main] }, visitor))[0]).toBe(403)
  expect((await call(`DELETE ${C}`, { commits: [main] }, visitor))[0]).toBe(403)
})

test('a commit that the repository has lost is left out', async () => {
  const { ok, database, C, main } = await openScene()
  await ok(`POST ${C}`, { commits: [main] })
  await database
    .updateTable('merge_request_context_commit')
    .set({ sha: '1'.repeat(40) })
    .execute()
  expect(await ok(`GET ${C}`)).toEqual([])
})
