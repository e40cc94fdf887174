import { expect, test } from 'vitest'

import { LINES, openGitScene } from '../merge-requests/git-scene.js'

interface Discussion {
  id: string
  notes: { id: number }[]
}

test('a commit has discussions, also of lines of its diff, and comments of the older operation are among them', async () => {
  const { ok, call, commit, person, P, main } = await openGitScene()
  const sha = await commit({ 'a.txt': LINES.with(1, 'changed\n').join('') }, { branch: 'main' })
  const path = `${P}/repository/commits/${sha}`
  const ann = await person('ann')
  const started = await ok<Discussion>(`POST ${path}/discussions`, { body: 'Why?' }, ann)
  expect(started).toMatchObject({
    individual_note: false,
    notes: [{ body: 'Why?', noteable_type: 'Commit', commit_id: sha, noteable_id: null, resolvable: false }],
  })
  const thread = `${path}/discussions/${started.id}`
  const reply = await ok<{ id: number }>(`POST ${thread}/notes`, { body: 'Because' })
  await ok(`PUT ${thread}/notes/${reply.id}`, { body: 'It was wrong' })
  expect((await call(`PUT ${thread}/notes/${reply.id}`, { body: 'x' }, ann))[0]).toBe(403)
  const position = { base_sha: main, start_sha: main, head_sha: sha, position_type: 'text' }
  const at = (more: object) => ({ body: 'Here', position: { ...position, new_path: 'a.txt', ...more } })
  expect(await ok(`POST ${path}/discussions`, at({ new_line: 2 }))).toMatchObject({
    notes: [{ type: 'DiffNote', position: { new_line: 2, old_line: null } }],
  })
  expect((await call(`POST ${path}/discussions`, at({ new_line: 3 })))[0]).toBe(400)
  expect((await call(`POST ${path}/discussions`, at({ new_line: 2, head_sha: main })))[0]).toBe(400)
  await ok(`POST ${path}/comments`, { note: 'Old', path: 'a.txt', line: 2, line_type: 'new' })
  expect(await ok(`GET ${path}/discussions`)).toMatchObject([
    { notes: [{ body: 'Why?' }, { body: 'It was wrong' }] },
    { notes: [{ body: 'Here' }] },
    { individual_note: true, notes: [{ body: 'Old', position: { new_line: 2 } }] },
  ])
  expect(await ok(`GET ${path}/comments`)).toMatchObject([
    { note: 'Why?', path: null, line: null },
    { note: 'It was wrong' },
    { note: 'Here', path: 'a.txt', line: 2, line_type: 'new' },
    { note: 'Old', path: 'a.txt', line: 2, line_type: 'new' },
  ])
  await ok(`DELETE ${thread}/notes/${reply.id}`)
  expect(await ok(`GET ${P}/repository/commits/${main}/discussions`)).toEqual([])
  expect((await call(`GET ${P}/repository/commits/${'1'.repeat(40)}/discussions`))[0]).toBe(404)
})
