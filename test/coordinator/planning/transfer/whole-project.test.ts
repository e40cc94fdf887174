import { expect, test } from 'vitest'

import type { OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { archiveOf, importArchiveInto } from '../../support/copy-project.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { LINES, openGitScene } from '../merge-requests/git-scene.js'
import { planningRecords } from '../support/project-records.js'

interface Made {
  id: number
  iid: number
}

/** A project whose issues and merge requests have everything that users can give them. */
async function fill(open: OpenDatabase) {
  const scene = await openGitScene(open)
  const { ok, commit, make, refresh, show, P, database, project } = scene
  const root = await addPerson(database, 'root', { admin: true })
  const bob = await addPerson(database, 'bob')
  await ok(`POST ${P}/members`, { user_id: bob.id, access_level: 40 })
  const milestone = await ok<Made>(`POST ${P}/milestones`, { title: 'v1' })
  await ok(`POST ${P}/labels`, { name: 'bug', color: '#ff0000' })
  await ok(`POST ${P}/issues`, { title: 'first', description: 'text', confidential: true })
  const more = {
    labels: 'bug,new',
    milestone_id: milestone.id,
    assignee_ids: [bob.id],
    due_date: '2030-01-01',
  }
  await ok(`POST ${P}/issues`, { title: 'second', weight: 2, ...more })
  await ok(`POST ${P}/issues/2/links`, {
    target_project_id: project,
    target_issue_iid: 1,
    link_type: 'blocks',
  })
  const I = `${P}/issues/2`
  await ok(`PUT ${I}`, { labels: 'new', title: 'renamed', milestone_id: 0 }, bob)
  await ok(`PUT ${I}`, { state_event: 'close' }, bob)
  await ok(`PUT ${I}`, { state_event: 'reopen' })
  await ok(`POST ${I}/time_estimate`, { duration: '3h' })
  await ok(`POST ${I}/add_spent_time`, { duration: '1h' }, bob)
  for (const name of ['thumbsup', 'tada']) await ok(`POST ${I}/award_emoji`, { name }, bob)
  await ok(`POST ${I}/notes`, { body: 'for members only', internal: true }, bob)
  const note = await ok<Made>(`POST ${I}/notes`, { body: 'wrong' })
  await ok(`PUT ${I}/notes/${note.id}`, { body: 'right' })
  const thread = await ok<{ id: string }>(`POST ${I}/discussions`, { body: 'Why?' }, bob)
  await ok(`POST ${I}/discussions/${thread.id}/notes`, { body: 'Because.' })
  await commit({ 'a.txt': LINES.with(1, 'changed\n').join('') }, { branch: 'topic', from: 'main' })
  await make('topic', { labels: 'bug', milestone_id: milestone.id, reviewer_ids: [bob.id] })
  await refresh()
  const { diff_refs: refs } = await show(1)
  const place = { new_path: 'a.txt', new_line: 2, position_type: 'text' }
  const M = `${P}/merge_requests/1`
  const text = 'Why this line?\n\n```suggestion\nbetter\n```'
  const body = { body: text, position: Object.assign(place, refs) }
  const onLine = await ok<{ id: string }>(`POST ${M}/discussions`, body, bob)
  await ok(`POST ${M}/discussions/${onLine.id}/notes`, { body: 'No reason.' })
  await ok(`PUT ${M}/discussions/${onLine.id}`, { resolved: true }, bob)
  await ok(`POST ${M}/discussions`, { body: 'Open question' }, bob)
  await ok(`POST ${M}/award_emoji`, { name: 'thumbsdown' }, bob)
  await ok(`POST ${I}/notes/${note.id}/award_emoji`, { name: 'tada' }, bob)
  const onCommit = `${P}/repository/commits/main/discussions`
  const { id: question } = await ok<{ id: string }>(`POST ${onCommit}`, { body: 'Why this?' }, bob)
  await ok(`POST ${onCommit}/${question}/notes`, { body: 'It is shorter.' })
  await ok(`POST ${P}/push_rule`, { branch_name_regex: 'a|t', reject_unsigned_commits: false })
  await ok(`POST ${P}/approvals`, { approvals_before_merge: 2, merge_requests_author_approval: true })
  await ok(`PUT ${M}`, { remove_labels: 'bug', description: 'Now with a text. Closes #1, see #2' }, bob)
  return { ...scene, root, bob }
}

/** No test changes its repository. */
const openFilled = sceneForFile(fill)

test('a project comes out of its archive with all that users gave its issues and merge requests', async () => {
  const { services, database, project, ok, refresh, root } = await openFilled()
  const before = await planningRecords(ok, project, root)
  expect(before['merge_requests/1/discussions']).toContainEqual(
    expect.objectContaining({ notes: [expect.anything(), expect.objectContaining({ resolved: true })] }),
  )
  expect(JSON.stringify(before)).toContain('"tada"')
  expect(before['repository/commits/main/discussions']).toMatchObject([
    { notes: [{ body: 'Why this?' }, { body: 'It is shorter.' }] },
  ])
  const todos = await database.selectFrom('todo').selectAll().execute()
  const { id, status, problems } = await importArchiveInto(
    services,
    await archiveOf(services, project),
    root,
    'copy',
  )
  expect([status, problems]).toEqual(['finished', []])
  expect(await ok(`GET /projects/${id}/push_rule`, undefined, root)).toMatchObject({
    branch_name_regex: 'a|t',
  })
  await refresh()
  expect(await planningRecords(ok, id, root)).toEqual(before)
  expect(await planningRecords(ok, project, root)).toEqual(before)
  expect(await database.selectFrom('todo').selectAll().execute()).toEqual(todos)
})

testAtNight('another coordinator gives the same records, for the users that it knows', async () => {
  const here = await openFilled()
  const there = await openGitScene()
  // Other IDs than here.
  await there.person('carol')
  await there.person('bob')
  const root = await addPerson(there.database, 'root', { admin: true })
  const before = await planningRecords(here.ok, here.project, here.root)
  const archive = await archiveOf(here.services, here.project)
  const { id, status, problems } = await importArchiveInto(there.services, archive, root, 'copy')
  expect([status, problems]).toEqual(['finished', []])
  await there.refresh()
  expect(await planningRecords(there.ok, id, root)).toEqual(before)
})

testAtNight('comments of unknown users are those of the importer, and say who wrote them', async () => {
  const { services, project, ok, person } = await openFilled()
  const eve = await person('eve')
  const { id } = await importArchiveInto(services, await archiveOf(services, project), eve, 'copy')
  const notesOf = async (at: number, as?: Person) => {
    const notes = await ok<{ body: string; system: boolean; author: { username: string } }[]>(
      `GET /projects/${at}/issues/2/notes?sort=asc&per_page=100`,
      undefined,
      as,
    )
    return notes.map(({ body, system, author }) => ({ body, system, author: author.username }))
  }
  const before = await notesOf(project)
  expect(before.map(({ author }) => author)).toContain('bob')
  expect(await notesOf(id, eve)).toEqual(
    before.map(({ body, system, author }) => ({
      body: system ? body : `*Written by \`${author}\`.*\n\n${body}`,
      system,
      author: 'eve',
    })),
  )
})

test('a project that is more visible than its importer may choose is imported with the next lower visibility', async () => {
  const { services, database, project, ok, person } = await openFilled()
  const eve = await person('eve')
  const updated_at = Date.now()
  const restricted = { name: 'restricted_visibility_levels', value: '["public"]', value_encrypted: null }
  await database
    .insertInto('application_setting')
    .values({ ...restricted, updated_at })
    .execute()
  const archive = await archiveOf(services, project)
  const { id, status, problems } = await importArchiveInto(services, archive, eve, 'copy')
  expect([status, problems]).toEqual(['finished', []])
  expect(await ok(`GET /projects/${id}`, undefined, eve)).toMatchObject({ visibility: 'internal' })
})
