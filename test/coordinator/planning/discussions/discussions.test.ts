import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import type { Person } from '../../support/test-app.js'
import { LINES, openMergeScene, withLine } from '../merge-requests/git-scene.js'
import { openMergeRequestScene } from '../merge-requests/scene.js'

const openMergeRequests = sceneForFile(openMergeRequestScene)

interface Note {
  id: number
  body: string
  type: string | null
  resolved?: boolean
  position?: Record<string, unknown>
}

interface Discussion {
  id: string
  individual_note: boolean
  notes: Note[]
}

const NO_SUCH_LINE = [
  400,
  { message: '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}' },
]

/** A project with an issue, a merge request and an epic; `on` has their paths. */
async function openScene() {
  const scene = await openMergeRequests(openSqlite)
  const { ok, P, make, group } = scene
  await ok(`POST ${P}/issues`, { title: 'a' })
  await make()
  const epic = await ok(`POST /groups/${group}/epics`, { title: 'a' })
  const on = [`${P}/issues/1`, `${P}/merge_requests/1`, `/groups/${group}/epics/${epic.id}`]
  return { ...scene, on, mergeRequest: `${P}/merge_requests/1` }
}

/** A merge request that changes line 2 of `a.txt`, removes line 5 and adds `b.txt`. */
async function buildDiffScene(open: OpenDatabase) {
  const scene = await openMergeScene(open)
  const { commit, make, refresh, show, ok, P } = scene
  const changed = LINES.with(1, 'changed\n').toSpliced(4, 1).join('')
  await commit({ 'a.txt': changed, 'b.txt': 'one\ntwo\n' }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const { diff_refs: refs } = await show(1)
  const M = `${P}/merge_requests/1`
  const position = (more: object) => ({ ...(refs as object), position_type: 'text', ...more })
  const at = (more: object) => ({ body: 'Why?', position: position(more) })
  return {
    ...scene,
    M,
    at,
    start: (more: object, as?: Person) => ok<Discussion>(`POST ${M}/discussions`, at(more), as),
  }
}

/** For tests that push nothing. */
const openDiffScene = sceneForFile(buildDiffScene)

test('is started, answered, read, changed and deleted on issues, merge requests and epics', async () => {
  const { ok, call, on } = await openScene()
  for (const path of on) {
    const started = await ok<Discussion>(`POST ${path}/discussions`, { body: 'First' })
    expect(started).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      individual_note: false,
      notes: [{ body: 'First', type: 'DiscussionNote' }],
    })
    const thread = `${path}/discussions/${started.id}`
    const reply = await ok<Note>(`POST ${thread}/notes`, { body: 'Second' })
    expect(reply).toMatchObject({ body: 'Second', type: 'DiscussionNote' })
    expect(await ok<Note[]>(`GET ${thread}/notes`)).toMatchObject([{ body: 'First' }, { body: 'Second' }])
    await ok(`PUT ${thread}/notes/${reply.id}`, { body: 'Changed' })
    expect(await ok<Note>(`GET ${thread}/notes/${reply.id}`)).toMatchObject({ body: 'Changed' })
    expect(await ok<Discussion[]>(`GET ${path}/discussions`)).toMatchObject([
      { id: started.id, notes: [{ body: 'First' }, { body: 'Changed' }] },
    ])
    await ok(`DELETE ${thread}/notes/${reply.id}`)
    expect((await ok<Discussion>(`GET ${thread}`)).notes).toHaveLength(1)
    const other = await ok<Discussion>(`POST ${path}/discussions`, { body: 'Other' })
    expect((await call(`GET ${thread}/notes/${other.notes[0]?.id}`))[0]).toBe(404)
    expect((await call(`PUT ${thread}/notes/${other.notes[0]?.id}`, { body: 'x' }))[0]).toBe(404)
    const unknown = `GET ${path}/discussions/${'0'.repeat(40)}`
    expect(await call(unknown)).toEqual([404, { message: '404 Discussion Not Found' }])
  }
})

testAtNight('arises from a comment by the first reply, but not from the record of a change', async () => {
  const { ok, call, P } = await openScene()
  const { id } = await ok<Note>(`POST ${P}/issues/1/notes`, { body: 'A comment' })
  await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
  const [comment, change] = await ok<Discussion[]>(`GET ${P}/issues/1/discussions`)
  expect(comment).toMatchObject({ individual_note: true, notes: [{ id, type: null }] })
  await ok(`POST ${P}/issues/1/discussions/${comment?.id}/notes`, { body: 'Reply' })
  expect(await ok(`GET ${P}/issues/1/discussions/${comment?.id}`)).toMatchObject({
    individual_note: false,
    notes: [{ id, type: 'DiscussionNote' }, { body: 'Reply' }],
  })
  expect(await call(`POST ${P}/issues/1/discussions/${change?.id}/notes`, { body: 'x' })).toEqual([
    400,
    { message: '400 Bad request - Discussion can not be replied to.' },
  ])
})

test('of a merge request is resolved and opened again by developers and its author', async () => {
  const { ok, call, person, P, mergeRequest } = await openScene()
  const { id } = await ok<Discussion>(`POST ${mergeRequest}/discussions`, { body: 'First' })
  const thread = `${mergeRequest}/discussions/${id}`
  const resolve = (resolved: boolean, as?: Person) => call(`PUT ${thread}`, { resolved }, as)
  expect((await resolve(true, await person('reporter', P, 20)))[0]).toBe(403)
  const developer = await person('developer', P, 30)
  expect((await resolve(true, developer))[1]).toMatchObject({
    notes: [{ resolvable: true, resolved: true, resolved_by: { username: 'developer' } }],
  })
  expect(await ok(`POST ${thread}/notes`, { body: 'Late' })).toMatchObject({ resolved: true })
  const [note] = await ok<Note[]>(`GET ${thread}/notes`)
  expect(await ok(`PUT ${thread}/notes/${note?.id}`, { resolved: false })).toMatchObject({ resolved: false })
  expect(await ok(`GET ${thread}/notes`)).toMatchObject([{ resolved: false }, { resolved: false }])
  expect((await call(`PUT ${thread}/notes/${note?.id}`, { resolved: true, body: 'x' }))[0]).toBe(400)
  expect((await call(`PUT ${thread}/notes/${note?.id}`, {}))[0]).toBe(400)
  const comment = await ok<Note>(`POST ${mergeRequest}/notes`, { body: 'x' })
  const all = await ok<Discussion[]>(`GET ${mergeRequest}/discussions`)
  const single = all.find(({ notes }) => notes[0]?.id === comment.id)
  expect((await call(`PUT ${mergeRequest}/discussions/${single?.id}`, { resolved: true }))[0]).toBe(400)
})

test('that is not resolved keeps a merge request from being merged where the project says so', async () => {
  const { ok, call, show, M, P, start } = await buildDiffScene(openSqlite)
  await ok(`PUT ${P}`, { only_allow_merge_if_all_discussions_are_resolved: true })
  const { id } = await start({ new_path: 'b.txt', new_line: 1 })
  expect(await show(1)).toMatchObject({
    detailed_merge_status: 'discussions_not_resolved',
    blocking_discussions_resolved: false,
  })
  expect((await call(`PUT ${M}/merge`))[0]).toBe(405)
  await ok(`PUT ${M}/discussions/${id}`, { resolved: true })
  expect(await show(1)).toMatchObject({
    detailed_merge_status: 'mergeable',
    blocking_discussions_resolved: true,
  })
  expect(await ok(`GET ${M}/notes?activity_filter=only_activity`)).toMatchObject([
    { body: 'resolved all threads' },
  ])
  expect((await call(`PUT ${M}/merge`))[0]).toBe(200)
})

testAtNight('is about a line that is added, removed or unchanged', async () => {
  const { start, M, ok } = await openDiffScene()
  const both = { old_path: 'a.txt', new_path: 'a.txt' }
  const added = await start({ ...both, new_line: 2 })
  expect(added.notes).toMatchObject([
    { type: 'DiffNote', position: { new_path: 'a.txt', new_line: 2, old_line: null, position_type: 'text' } },
  ])
  const removed = await start({ ...both, old_line: 5 })
  expect(removed.notes).toMatchObject([{ position: { old_line: 5, new_line: null } }])
  const unchanged = await start({ ...both, old_line: 10, new_line: 9 })
  expect(unchanged.notes).toMatchObject([{ position: { old_line: 10, new_line: 9 } }])
  const inNewFile = await start({ new_path: 'b.txt', new_line: 2 })
  expect(inNewFile.notes).toMatchObject([{ position: { old_path: 'b.txt', new_line: 2 } }])
  const file = await start({ new_path: 'b.txt', position_type: 'file' })
  expect(file.notes).toMatchObject([
    { type: 'DiffNote', position: { position_type: 'file', new_line: null } },
  ])
  const reply = await ok<Note>(`POST ${M}/discussions/${added.id}/notes`, { body: 'Because' })
  expect(reply).toMatchObject({ type: 'DiffNote', position: { new_line: 2 } })
})

test('is refused for a line that the diff does not have, and for other commits', async () => {
  const { call, M, at } = await openDiffScene()
  const refused = async (more: object) =>
    expect(await call(`POST ${M}/discussions`, at(more)), JSON.stringify(more)).toEqual(NO_SUCH_LINE)
  const both = { old_path: 'a.txt', new_path: 'a.txt' }
  await refused({ ...both, new_line: 3 })
  await refused({ ...both, old_line: 3 })
  await refused({ ...both, old_line: 2, new_line: 2 })
  await refused({ ...both, old_line: 10, new_line: 10 })
  await refused({ ...both, old_line: 11, new_line: 10 })
  await refused(both)
  await refused({ new_line: 1 })
  await refused({ new_path: 'none.txt', new_line: 1 })
  await refused({ new_path: 'b.txt', new_line: 3 })
  await refused({ new_path: '../b.txt', new_line: 1 })
  await refused({ new_path: ':(glob)*', new_line: 1 })
  await refused({ new_path: 'b.txt', new_line: 1, head_sha: '1'.repeat(40) })
})

test('a comment on several lines has all fields of both ends, however the client has named them', async () => {
  const { call, at, start, M } = await openDiffScene()
  const code = (path: string, lines: string) => `${createHash('sha1').update(path).digest('hex')}_${lines}`
  const changed = { line_code: code('a.txt', '3_2'), type: 'new', old_line: null, new_line: 2 }
  const kept = { line_code: code('a.txt', '4_4'), type: null, old_line: 4, new_line: 4 }
  const removed = { line_code: code('a.txt', '5_5'), type: 'old', old_line: 5, new_line: null }
  const rangeOf = async (line_range: object, line: object = { new_line: 4, old_line: 4 }) =>
    (await start({ new_path: 'a.txt', ...line, line_range })).notes[0]?.position?.['line_range']
  expect(await rangeOf({ start: { new_line: 2 }, end: { new_line: 4, old_line: 4 } })).toEqual({
    start: changed,
    end: kept,
  })
  const { line_code, type } = changed
  expect(await rangeOf({ start: { line_code, type } })).toEqual({ start: changed, end: kept })
  expect(
    await rangeOf({ start: { line_code: kept.line_code }, end: { old_line: 5 } }, { old_line: 5 }),
  ).toEqual({ start: kept, end: removed })
  expect(
    await call(`POST ${M}/discussions`, at({ new_path: 'a.txt', new_line: 2, line_range: { start: {} } })),
  ).toEqual(NO_SUCH_LINE)
  const single = await start({ new_path: 'a.txt', new_line: 2 })
  expect(single.notes[0]?.position).toMatchObject({ line_range: null })
})

test('takes the position as fields of a form', async () => {
  const { show, M, call } = await openDiffScene()
  const refs = (await show(1))['diff_refs'] as Record<string, string>
  const form = new URLSearchParams({ body: 'Why?' })
  const position = { ...refs, position_type: 'text', new_path: 'b.txt', new_line: '1' }
  for (const [name, value] of Object.entries(position)) form.set(`position[${name}]`, value)
  const [status, started] = await call(`POST ${M}/discussions?${form.toString()}`, {})
  expect([status, started]).toMatchObject([201, { notes: [{ position: { new_line: 1 } }] }])
})

testAtNight('of a branch that has moved keeps the version for which it was written', async () => {
  const { ok, commit, make, refresh, show, P } = await openMergeScene()
  await commit({ 'a.txt': withLine(2, 'one') }, { branch: 'topic', from: 'main' })
  await make('topic')
  await refresh()
  const { diff_refs: first } = await show(1)
  await commit({ 'a.txt': withLine(2, 'two') }, { branch: 'topic' })
  await refresh()
  const place = { new_path: 'a.txt', new_line: 2, position_type: 'text' }
  const body = { body: 'Old', position: { ...(first as object), ...place } }
  expect(await ok(`POST ${P}/merge_requests/1/discussions`, body)).toMatchObject({
    notes: [{ position: { head_sha: (first as { head_sha: string }).head_sha } }],
  })
})
