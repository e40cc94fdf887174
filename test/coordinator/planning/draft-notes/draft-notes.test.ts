import { expect, test, vi } from 'vitest'

import type { Database } from '../../../../src/coordinator/database/connect.js'
import { deleteDependents } from '../../../../src/coordinator/database/delete-in-steps.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import type { Person } from '../../support/test-app.js'
import { LINES, openMergeScene } from '../merge-requests/git-scene.js'

interface Draft {
  id: number
  note: string
  discussion_id: string | null
  resolve_discussion: boolean
  line_code: string | null
  position: Record<string, unknown>
}

interface Discussion {
  id: string
  individual_note: boolean
  notes: {
    id: number
    body: string
    type: string | null
    system: boolean
    resolved?: boolean
    position?: Record<string, unknown>
  }[]
}

/** A merge request that changes line 2 of `a.txt`, with a reviewer who is a developer. */
async function buildScene(open: OpenDatabase) {
  const scene = await openMergeScene(open)
  const { commit, make, refresh, show, ok, call, P, ada } = scene
  const changed = LINES.with(1, 'changed\n')
  await commit({ 'a.txt': changed.join('') }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const { diff_refs: refs } = await show(1)
  const bob = await scene.person('bob')
  await ok(`POST ${P}/members`, { user_id: bob.id, access_level: 30 })
  const M = `${P}/merge_requests/1`
  return {
    ...scene,
    ada,
    bob,
    M,
    changed,
    position: (more: object) => ({ ...(refs as object), position_type: 'text', new_path: 'a.txt', ...more }),
    draft: (body: object, as: Person = bob) => ok<Draft>(`POST ${M}/draft_notes`, body, as),
    drafts: (as: Person = bob) => ok<Draft[]>(`GET ${M}/draft_notes`, undefined, as),
    publish: (id?: number, as: Person = bob) =>
      id === undefined
        ? call(`POST ${M}/draft_notes/bulk_publish`, undefined, as)
        : call(`PUT ${M}/draft_notes/${id}/publish`, undefined, as),
    /** Without the records of changes. */
    discussions: async () =>
      (await ok<Discussion[]>(`GET ${M}/discussions`)).filter(({ notes }) => !notes[0]?.system),
  }
}

const openScene = sceneForFile(buildScene)

async function copyDraft(database: Database, id: number, count: number, noteOf = (_: number) => 'x') {
  const row = await database
    .selectFrom('draft_note')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { id: _, position: __, ...copy } = row
  const rows = Array.from({ length: count }, (___, index) => ({ ...copy, note: noteOf(index) }))
  await database.insertInto('draft_note').values(rows).execute()
}

test('a draft is written, read, changed and deleted by its author, and seen by nobody else', async () => {
  const { draft, drafts, ok, call, discussions, position, M, ada, bob } = await openScene()
  const made = await draft({ note: 'Why?', position: position({ new_line: 2 }) })
  expect(made).toMatchObject({
    author_id: bob.id,
    note: 'Why?',
    discussion_id: null,
    resolve_discussion: false,
    line_code: expect.stringMatching(/^[0-9a-f]{40}_\d+_\d+$/) as string,
    position: { new_line: 2, old_line: null, new_path: 'a.txt' },
  })
  const one = `${M}/draft_notes/${made.id}`
  for (const route of [`GET ${one}`, `PUT ${one}`, `DELETE ${one}`, `PUT ${one}/publish`]) {
    const body = route === `PUT ${one}` ? { note: 'x' } : undefined
    expect((await call(route, body, ada))[0], route).toBe(404)
  }
  expect(await drafts(ada)).toEqual([])
  expect(await discussions()).toEqual([])
  expect(await ok(`PUT ${one}`, { note: 'How?' }, bob)).toMatchObject({
    note: 'How?',
    position: { new_line: 2 },
  })
  expect(await ok(`GET ${one}`, undefined, bob)).toMatchObject({ note: 'How?' })
  await ok(`DELETE ${one}`, undefined, bob)
  expect(await drafts()).toEqual([])
})

test('a draft on no line has a place without values, as clients expect it', async () => {
  const { draft } = await openScene()
  expect((await draft({ note: 'All fine' })).position).toEqual({
    base_sha: null,
    start_sha: null,
    head_sha: null,
    position_type: 'text',
    old_path: null,
    new_path: null,
    old_line: null,
    new_line: null,
    line_range: null,
  })
})

test('what could not be published is not saved', async () => {
  const { call, ok, person, position, drafts, M, P, bob } = await openScene()
  const reporter = await person('rita')
  await ok(`POST ${P}/members`, { user_id: reporter.id, access_level: 20 })
  const started = await ok<Discussion>(`POST ${M}/discussions`, { body: 'x' })
  const create = async (body: object, as: Person = bob) => (await call(`POST ${M}/draft_notes`, body, as))[0]
  expect(await create({ note: ' ' })).toBe(400)
  expect(await create({ note: 'x', position: position({ new_line: 99 }) })).toBe(400)
  expect(await create({ note: '/close\n'.repeat(51) })).toBe(400)
  expect(await create({ note: 'x', resolve_discussion: true })).toBe(400)
  expect(await create({ note: 'x', in_reply_to_discussion_id: '0'.repeat(40) })).toBe(404)
  const resolving = { note: 'x', in_reply_to_discussion_id: started.id, resolve_discussion: true }
  expect(await create(resolving, reporter)).toBe(403)
  await ok(`PUT ${M}`, { discussion_locked: true })
  expect(await create({ note: 'x' }, await person('eve'))).toBe(403)
  expect(await drafts()).toEqual([])
})

describeOnDatabase('Publishing all drafts', (open) => {
  testAtNight(
    'makes a discussion, a reply that resolves and a comment, in their order, and applies quick actions',
    async () => {
      const { draft, drafts, publish, discussions, ok, show, position, M } = await openScene(open)
      const { id } = await ok<Discussion>(`POST ${M}/discussions`, { body: 'To do' })
      await draft({ note: 'Why?', position: position({ new_line: 2 }) })
      await draft({ note: 'Done', in_reply_to_discussion_id: id, resolve_discussion: true })
      await draft({ note: 'All fine\n/title Better' })
      expect(await publish()).toEqual([204, ''])
      expect(await drafts()).toEqual([])
      expect(await discussions()).toMatchObject([
        { id, notes: [{ resolved: true }, { body: 'Done', type: 'DiscussionNote', resolved: true }] },
        { individual_note: false, notes: [{ body: 'Why?', type: 'DiffNote', position: { new_line: 2 } }] },
        { individual_note: true, notes: [{ body: 'All fine', type: null }] },
      ])
      expect(await show(1)).toMatchObject({ title: 'Better' })
    },
  )

  test('takes one transaction for two hundred of them, also when it is asked for twice at once', async () => {
    const { database, draft, publish } = await openScene(open)
    const { id } = await draft({ note: 'Comment 1' })
    await copyDraft(database, id, 199, (number) => `Comment ${number + 2}`)
    const transactions = vi.spyOn(database, 'transaction')
    expect(await Promise.all([publish(), publish()])).toEqual([
      [204, ''],
      [204, ''],
    ])
    expect(transactions.mock.calls.length).toBeLessThan(6)
    transactions.mockRestore()
    const notes = await database.selectFrom('note').select('body').orderBy('id').execute()
    expect(notes).toEqual(Array.from({ length: 200 }, (_, index) => ({ body: `Comment ${index + 1}` })))
  })
})

test('one draft that is refused keeps all of them, and is named', async () => {
  const { draft, drafts, publish, ok, M } = await openScene()
  const { id, notes } = await ok<Discussion>(`POST ${M}/discussions`, { body: 'x' })
  await draft({ note: 'First' })
  const reply = await draft({ note: 'Second', in_reply_to_discussion_id: id })
  await ok(`DELETE ${M}/discussions/${id}/notes/${notes[0]?.id}`)
  const message = `400 Bad request - Draft note ${reply.id} cannot be published: its discussion was deleted`
  expect(await publish()).toEqual([400, { message }])
  expect(await drafts()).toHaveLength(2)
  expect(await ok(`GET ${M}/notes`)).toEqual([])
})

test('a right that was lost since is missing when a draft is published', async () => {
  const { draft, publish, ok, P, M, bob } = await openScene()
  const { id } = await ok<Discussion>(`POST ${M}/discussions`, { body: 'x' })
  const resolving = await draft({ note: 'Done', in_reply_to_discussion_id: id, resolve_discussion: true })
  const plain = await draft({ note: 'Hello' })
  await ok(`PUT ${P}/members/${bob.id}`, { access_level: 20 })
  expect((await publish(resolving.id))[0]).toBe(400)
  await ok(`DELETE ${P}/members/${bob.id}`)
  await ok(`PUT ${M}`, { discussion_locked: true })
  expect((await publish(plain.id))[0]).toBe(403)
})

test('one draft is published alone, and answers with what it was', async () => {
  const { draft, drafts, publish, discussions } = await openScene()
  const [first, second] = [await draft({ note: 'One' }), await draft({ note: 'Two' })]
  expect(await publish(second.id)).toEqual([200, second])
  expect(await drafts()).toEqual([first])
  expect(await discussions()).toMatchObject([{ notes: [{ body: 'Two' }] }])
  expect((await publish(second.id))[0]).toBe(404)
})

test('a reply opens a resolved discussion again only if that is asked for', async () => {
  const { draft, publish, ok, M } = await openScene()
  const { id } = await ok<Discussion>(`POST ${M}/discussions`, { body: 'x' })
  await ok(`PUT ${M}/discussions/${id}`, { resolved: true })
  const resolved = async () =>
    (await ok<Discussion>(`GET ${M}/discussions/${id}`)).notes.map((note) => note.resolved)
  await draft({ note: 'Thanks', in_reply_to_discussion_id: id })
  await publish()
  expect(await resolved()).toEqual([true, true])
  await draft({ note: 'No', in_reply_to_discussion_id: id, resolve_discussion: false })
  await publish()
  expect(await resolved()).toEqual([false, false, false])
})

test('a draft suggests a change', async () => {
  const { draft, publish, discussions, position } = await openScene()
  await draft({ note: '```suggestion\nbetter\n```', position: position({ new_line: 2 }) })
  await publish()
  expect(await discussions()).toMatchObject([
    { notes: [{ suggestions: [{ from_content: 'changed\n', to_content: 'better\n' }] }] },
  ])
})

testAtNight(
  'a draft of an earlier version moves to the latest one, or is outdated if its line was changed',
  async () => {
    const { draft, publish, discussions, position, commit, refresh, show, changed } =
      await buildScene(openSqlite)
    await draft({ note: 'Kept', position: position({ new_line: 2 }) })
    await draft({ note: 'Lost', position: position({ new_line: 5, old_line: 5 }) })
    await commit({ 'a.txt': ['first\n', ...changed.with(4, 'other\n')].join('') }, { branch: 'topic' })
    await refresh()
    expect((await publish())[0]).toBe(204)
    const { head_sha } = (await show(1)).diff_refs as { head_sha: string }
    const [kept, lost] = await discussions()
    expect(kept?.notes).toMatchObject([{ body: 'Kept', position: { head_sha, new_line: 3 } }])
    expect(lost?.notes).toMatchObject([
      { body: 'Lost', position: { new_line: 5 } },
      { system: true, body: 'changed this line in a later version of the diff' },
    ])
    expect(lost?.notes[0]?.position?.['head_sha']).not.toBe(head_sha)
  },
)

testAtNight('drafts are limited in number and in size', async () => {
  const { database, call, draft, drafts, M, bob } = await openScene()
  const { id } = await draft({ note: 'x' })
  await copyDraft(database, id, 499)
  const message = '400 Bad request - You may have at most 500 drafts in a merge request'
  expect(await call(`POST ${M}/draft_notes`, { note: 'x' }, bob)).toEqual([400, { message }])
  await database.deleteFrom('draft_note').where('id', '<>', id).execute()
  await database
    .updateTable('draft_note')
    .set({ note: 'x'.repeat(3_999_999) })
    .execute()
  expect((await call(`POST ${M}/draft_notes`, { note: 'xx' }, bob))[0]).toBe(400)
  expect((await call(`POST ${M}/draft_notes`, { note: 'x' }, bob))[0]).toBe(201)
  expect(await drafts()).toHaveLength(2)
})

test('drafts are deleted with their merge request, and with their author', async () => {
  const { ok, draft, database, M, ada, bob } = await openScene()
  await draft({ note: 'x' })
  await draft({ note: 'y' }, ada)
  await deleteDependents(database, 'user', bob.id)
  const left = database.selectFrom('draft_note').select('note')
  expect(await left.execute()).toEqual([{ note: 'y' }])
  await ok(`DELETE ${M}`)
  expect(await left.execute()).toEqual([])
})
