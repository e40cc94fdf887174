import { expect, test } from 'vitest'

import { gitSceneForFile, LINES } from './git-scene.js'

const openGitScene = gitSceneForFile()

interface Conflicts {
  source_sha: string
  target_sha: string
  files: { path: string; content: string | null }[]
}

/** A merge request of `topic` that conflicts with `main` in the second line of `a.txt`. */
async function openScene() {
  const scene = await openGitScene()
  const { commit, make, refresh, P } = scene
  await commit({ 'a.txt': LINES.with(1, 'of topic\n').join('') }, { branch: 'topic', from: 'main' })
  await commit({ 'a.txt': LINES.with(1, 'of main\n').join(''), 'b.txt': 'b\n' }, { branch: 'main' })
  await make('topic')
  await refresh()
  return { ...scene, C: `${P}/merge_requests/1/conflicts` }
}

test('conflicts are shown with both sides, and resolved by a merge into the source branch', async () => {
  const { ok, call, refresh, show, C } = await openScene()
  const { files, ...heads } = await ok<Conflicts>(`GET ${C}`)
  expect(files.map(({ path }) => path)).toEqual(['a.txt'])
  const marked = files[0]?.content ?? ''
  expect(marked).toMatch(/^<{7} .*\nof topic\n={7}\nof main\n>{7} .*$/m)
  const resolve = (content: string, more = {}) =>
    call(`POST ${C}`, { ...heads, files: [{ path: 'a.txt', content }], ...more })
  expect(await resolve(marked)).toEqual([400, { error: 'files: a.txt still has the marker of a conflict' }])
  expect((await resolve('x', { files: [{ path: 'b.txt', content: 'x' }] }))[0]).toBe(400)
  expect((await resolve('x', { target_sha: '1'.repeat(40) }))[0]).toBe(409)
  const [status, body] = await resolve(LINES.with(1, 'of both\n').join(''))
  expect(status).toBe(201)
  await refresh()
  expect(await show(1)).toMatchObject({
    sha: (body as { commit_id: string }).commit_id,
    merge_status: 'can_be_merged',
  })
  // What was resolved before is no conflict any more.
  expect((await resolve('x'))[0]).toBe(409)
  expect(await ok<Conflicts>(`GET ${C}`)).toMatchObject({ files: [] })
})

test('only those who may push to the source branch see and resolve them', async () => {
  const { call, ok, person, P, C } = await openScene()
  const { files, ...heads } = await ok<Conflicts>(`GET ${C}`)
  const reporter = await person('rita')
  await ok(`POST ${P}/members`, { user_id: reporter.id, access_level: 20 })
  expect((await call(`GET ${C}`, undefined, reporter))[0]).toBe(403)
  const body = { ...heads, files: [{ path: 'a.txt', content: 'x' }] }
  expect((await call(`POST ${C}`, body, reporter))[0]).toBe(403)
  await ok(`PUT ${P}/merge_requests/1`, { state_event: 'close' })
  expect((await call(`POST ${C}`, body))[0]).toBe(405)
  expect(files).toHaveLength(1)
})
