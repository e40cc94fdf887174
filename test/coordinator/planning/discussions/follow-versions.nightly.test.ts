import { expect, test } from 'vitest'

import { LINES, mergeSceneForFile } from '../merge-requests/git-scene.js'

const openMergeScene = mergeSceneForFile()

interface Discussion {
  id: string
  notes: { body: string; system: boolean; resolved?: boolean; position?: Record<string, unknown> }[]
}

/** A merge request that changes line 5 of `a.txt` and removes line 9; `comment` starts a discussion of a line. */
async function openScene() {
  const scene = await openMergeScene()
  const { commit, make, refresh, show, ok, P } = scene
  const changed = LINES.with(4, 'changed\n').toSpliced(8, 1)
  await commit({ 'a.txt': changed.join('') }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const M = `${P}/merge_requests/1`
  return {
    ...scene,
    M,
    changed,
    push: async (lines: string[]) => {
      await commit({ 'a.txt': lines.join('') }, { branch: 'topic' })
      await refresh()
    },
    comment: async (place: object) => {
      const { diff_refs } = await show(1)
      const position = {
        ...(diff_refs as object),
        position_type: 'text',
        new_path: 'a.txt',
        old_path: 'a.txt',
      }
      const body = { body: 'Why?', position: { ...position, ...place } }
      return (await ok<Discussion>(`POST ${M}/discussions`, body)).id
    },
    thread: async (id: string) => (await ok<Discussion>(`GET ${M}/discussions/${id}`)).notes,
  }
}

test('a discussion moves with its line to each new version', async () => {
  const { comment, thread, push, show, changed, M, ok } = await openScene()
  const added = await comment({ new_line: 5 })
  const unchanged = await comment({ old_line: 8, new_line: 8 })
  const removed = await comment({ old_line: 9 })
  await ok(`POST ${M}/discussions/${added}/notes`, { body: 'Because' })
  await push(['first\n', 'second\n', ...changed])
  const { diff_refs } = await show(1)
  const { head_sha } = diff_refs as { head_sha: string }
  const at = { head_sha, old_line: null, new_line: 7 }
  expect(await thread(added)).toMatchObject([{ position: at }, { position: at }])
  expect(await thread(unchanged)).toMatchObject([{ position: { head_sha, old_line: 8, new_line: 10 } }])
  expect(await thread(removed)).toMatchObject([{ position: { head_sha, old_line: 9, new_line: null } }])
  await push(['second\n', ...changed])
  expect(await thread(added)).toMatchObject([{ position: { new_line: 6 } }, { position: { new_line: 6 } }])
})

test('the lines of a comment on several lines move with it, until one of them is changed', async () => {
  const { comment, thread, push, changed } = await openScene()
  const id = await comment({
    new_line: 5,
    line_range: { start: { old_line: 4, new_line: 4 }, end: { new_line: 5 } },
  })
  await push(['first\n', ...changed])
  const [moved] = await thread(id)
  expect(moved?.position).toMatchObject({
    new_line: 6,
    line_range: { start: { old_line: 4, new_line: 5, type: null }, end: { new_line: 6, type: 'new' } },
  })
  await push(['first\n', ...changed.with(3, 'other\n')])
  const [kept] = await thread(id)
  expect(kept?.position).toMatchObject({ new_line: 6, line_range: null })
})

test('a discussion whose line was changed stays at its version, and says so once', async () => {
  const { comment, thread, push, show, changed } = await openScene()
  const id = await comment({ new_line: 5 })
  const { diff_refs: first } = await show(1)
  await push(changed.with(4, 'changed again\n'))
  const notes = await thread(id)
  expect(notes).toMatchObject([
    { position: { ...(first as object), new_line: 5 }, resolved: false },
    { system: true, body: 'changed this line in a later version of the diff' },
  ])
  await push(changed.with(4, 'changed once more\n'))
  expect(await thread(id)).toHaveLength(2)
})

test('it is resolved by that where the project says so', async () => {
  const { comment, thread, push, changed, ok, P } = await openScene()
  await ok(`PUT ${P}`, { resolve_outdated_diff_discussions: true })
  const id = await comment({ new_line: 5 })
  await push(changed.toSpliced(4, 1))
  expect(await thread(id)).toMatchObject([{ resolved: true }, { system: true }])
})
