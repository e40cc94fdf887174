import { expect, test } from 'vitest'

import { suggestedBlocks } from '../../../../src/coordinator/planning/suggestions/suggestions-in.js'
import { testAtNight } from '../../../support/nightly.js'
import type { Person } from '../../support/test-app.js'
import { LINES, mergeSceneForFile } from '../merge-requests/git-scene.js'

const openMergeScene = mergeSceneForFile()

interface Suggestion {
  id: number
}

interface Discussion {
  id: string
  notes: { id: number; suggestions: Suggestion[] }[]
}

const block = (content: string, range = '') => `\`\`\`suggestion${range}\n${content}\`\`\``

/** A merge request that changes line 5 of `a.txt`. */
async function openScene() {
  const scene = await openMergeScene()
  const { commit, make, refresh, show, ok, call, P } = scene
  await commit({ 'a.txt': LINES.with(4, 'changed\n').join('') }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const M = `${P}/merge_requests/1`
  const suggest = async (line: number, content: string, range?: string, as?: Person) => {
    const { diff_refs } = await show(1)
    const place = line === 5 ? { new_line: 5 } : { old_line: line, new_line: line }
    const position = { ...(diff_refs as object), position_type: 'text', new_path: 'a.txt', old_path: 'a.txt' }
    const body = `Better:\n${block(content, range)}\n`
    const started = await ok<Discussion>(
      `POST ${M}/discussions`,
      { body, position: { ...position, ...place } },
      as,
    )
    const [note] = started.notes
    return { thread: started.id, note: note?.id ?? 0, suggestions: note?.suggestions ?? [] }
  }
  return {
    ...scene,
    M,
    suggest,
    apply: (id: number | undefined, body: object = {}, as?: Person) =>
      call(`PUT /suggestions/${id}/apply`, body, as),
    file: async (ref = 'topic') =>
      (await scene.git('show', `${ref}:a.txt`)).split('\n').map((line) => line.replace('line ', '')),
  }
}

test('blocks of a comment name the lines that they replace', () => {
  const text = `x\n${block('a\n')}\n\n${block('', ':-2+1')}\n~~~\n${block('b\n', ':+1')}\n`
  expect(suggestedBlocks(text)).toEqual([
    { above: 0, below: 0, content: 'a\n' },
    { above: 2, below: 1, content: '' },
  ])
  expect(suggestedBlocks('```suggestions\na\n```')).toEqual([])
})

test('a suggestion becomes a commit of the source branch by the user who applies it, and resolves its discussion', async () => {
  const { ok, suggest, apply, file, git, M, ada, person, P } = await openScene()
  const bea = await person('bea')
  await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
  const { suggestions, thread } = await suggest(5, 'five\nfive and a half\n', ':-1+0', bea)
  expect(suggestions).toEqual([
    {
      id: expect.any(Number) as number,
      from_line: 4,
      to_line: 5,
      appliable: true,
      applied: false,
      from_content: 'line 4\nchanged\n',
      to_content: 'five\nfive and a half\n',
    },
  ])
  expect(await apply(suggestions[0]?.id)).toMatchObject([200, { applied: true, appliable: false }])
  expect(await file()).toEqual(['1', '2', '3', 'five', 'five and a half', '6', '7', '8', '9', '10'])
  expect(await git('log', '-1', '--format=%s %an', 'topic')).toBe(
    `Apply 1 suggestion(s) to 1 file(s) ${ada.username}`,
  )
  expect(await ok(`GET ${M}/discussions/${thread}`)).toMatchObject({
    notes: [{ resolved: true, suggestions: [{ applied: true }] }],
  })
  expect((await apply(suggestions[0]?.id))[0]).toBe(400)
})

testAtNight('several suggestions are applied in one commit, unless they replace the same line', async () => {
  const { ok, call, suggest, file, git, P } = await openScene()
  await ok(`PUT ${P}`, { suggestion_commit_message: '%{username}: %{suggestions_count} in %{file_paths}' })
  const one = (await suggest(5, 'five\n')).suggestions[0]?.id
  const two = (await suggest(3, '')).suggestions[0]?.id
  const three = (await suggest(4, 'x\n', ':-0+1')).suggestions[0]?.id
  const clash = await call('PUT /suggestions/batch_apply', { ids: [one, three] })
  expect(clash).toEqual([400, { message: '400 Bad request - A suggestion is not applicable.' }])
  expect((await call('PUT /suggestions/batch_apply', { ids: [one, two] }))[0]).toBe(200)
  expect(await file()).toEqual(['1', '2', '4', 'five', '6', '7', '8', '9', '10'])
  expect(await git('log', '-1', '--format=%s', 'topic')).toBe('ada: 2 in a.txt')
})

test('is refused when its lines have changed, and to those who may not push or see it', async () => {
  const { ok, call, commit, suggest, apply, person, P } = await openScene()
  const { suggestions, note } = await suggest(5, 'five\n')
  const [bea, cyd] = [await person('bea'), await person('cyd')]
  expect((await apply(suggestions[0]?.id, {}, bea))[0]).toBe(403)
  await ok(`PUT ${P}`, { visibility: 'private' })
  expect(await apply(suggestions[0]?.id, {}, cyd)).toEqual([404, { message: '404 Suggestion Not Found' }])
  expect((await apply(0))[0]).toBe(404)
  const edited = await ok<{ suggestions: Suggestion[] }>(`PUT ${P}/merge_requests/1/notes/${note}`, {
    body: block('other\n'),
  })
  expect(edited.suggestions).toMatchObject([{ to_content: 'other\n' }])
  expect((await apply(suggestions[0]?.id))[0]).toBe(404)
  await commit({ 'a.txt': LINES.with(4, 'changed again\n').join('') }, { branch: 'topic' })
  expect((await apply(edited.suggestions[0]?.id))[0]).toBe(400)
  expect((await call('PUT /suggestions/batch_apply', { ids: [] }))[0]).toBe(400)
})

testAtNight('blocks without an end hide none behind them, and a long comment of nothing else is read', () => {
  expect(suggestedBlocks('````suggestion\na\n```suggestion\nb\n```\n')).toEqual([
    { above: 0, below: 0, content: 'b\n' },
  ])
  // A search for the end of each would take minutes.
  expect(suggestedBlocks('```suggestion\n'.repeat(70_000))).toEqual([])
})
