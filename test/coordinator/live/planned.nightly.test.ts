import { expect, test } from 'vitest'

import { inTransaction, type Transaction } from '../../../src/coordinator/database/transaction.js'
import { deleteNoteRow, insertNote } from '../../../src/coordinator/hosting/note-store.js'
import { emitWiki } from '../../../src/coordinator/hosting/planned-changes.js'
import {
  deleteSnippetRow,
  insertSnippet,
  updateSnippet,
} from '../../../src/coordinator/hosting/snippets/store.js'
import { insertAward } from '../../../src/coordinator/planning/stores/award-emoji-store.js'
import { putIntoEpic, takeFromEpic } from '../../../src/coordinator/planning/stores/epic-issue-store.js'
import { insertEpicLink } from '../../../src/coordinator/planning/stores/epic-link-store.js'
import { deleteEpicRow, insertEpic } from '../../../src/coordinator/planning/stores/epic-store.js'
import { setParent } from '../../../src/coordinator/planning/stores/epic-tree-store.js'
import {
  deleteIssueRow,
  insertIssue,
  type IssueRow,
  setAssignees,
  updateIssueRow,
} from '../../../src/coordinator/planning/stores/issue-store.js'
import { addGroup } from '../ci/engine/support/records.js'
import { type CiCoordinator, startCiCoordinator } from '../support/ci-coordinator.js'
import { LiveClient } from '../support/live-client.js'
import { addMember } from '../support/project-team.js'
import { addPerson, type Person } from '../support/test-app.js'

const GUEST = 10
const REPORTER = 20

/** The private project is in a group. */
async function startInGroup(visibility: 'internal' | 'private'): Promise<CiCoordinator> {
  const coordinator = await startCiCoordinator()
  const { database, project } = coordinator
  const namespace_id = await addGroup(database, 'team')
  await database.updateTable('namespace').set({ visibility }).where('id', '=', namespace_id).execute()
  const full_path = `team/${project.path}`
  await database.updateTable('project').set({ namespace_id, full_path }).execute()
  return { ...coordinator, project: { ...project, namespace_id, full_path } }
}

function addIssue({ database, project, admin }: CiCoordinator, confidential = false): Promise<IssueRow> {
  const times = { created_at: 0, updated_at: 0 }
  return inTransaction(database, (tx) =>
    insertIssue(tx, { project_id: project.id, author_id: admin.id, title: 'a', confidential, ...times }),
  )
}

function addNote({ database, project, admin }: CiCoordinator, issue_id: number) {
  const times = { created_at: 0, updated_at: 0 }
  const note = { body: 'Why?', discussion_id: 'a'.repeat(40), author_id: admin.id, project_id: project.id }
  return inTransaction(database, (tx) => insertNote(tx, { ...note, issue_id, ...times }))
}

test('changes of an issue, its comments and their emoji reach the streams of those who see it', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, database } = coordinator
  const gus = await addMember(coordinator, 'gus', GUEST)
  const issue = await addIssue(coordinator)
  const { id } = issue
  const [ofAdmin, ofGus] = [
    await LiveClient.open(coordinator, { as: admin, topics: `issue/${id}` }),
    await LiveClient.open(coordinator, { as: gus, topics: `issue/${id}` }),
  ]
  await Promise.all([ofAdmin.next('hello'), ofGus.next('hello')])
  const note = await addNote(coordinator, id)
  expect((await ofGus.next('issue')).data).toEqual({ id })
  await ofAdmin.next('issue')
  await inTransaction(database, (tx) =>
    insertAward(tx, { table: 'note', id: note.id }, { userId: admin.id, name: 'tada' }),
  )
  await Promise.all([ofGus.next('issue'), ofAdmin.next('issue')])
  // What has changed between the read of a page and its stream is sent too.
  const cursor = `v=${Date.now()}`
  await inTransaction(database, (tx) => updateIssueRow(tx, issue, { title: 'b', updated_at: Date.now() }))
  await Promise.all([ofGus.next('issue'), ofAdmin.next('issue')])
  const later = await LiveClient.open(coordinator, { as: gus, topics: `issue/${id}`, cursor })
  expect((await later.next('issue')).data).toEqual({ id })
  // From now on, the guest does not see it: nothing is sent, even before the access of the stream is checked again.
  await inTransaction(database, (tx) => updateIssueRow(tx, issue, { confidential: true }))
  await ofAdmin.next('issue')
  expect(ofGus.events.filter(({ name }) => name === 'issue')).toHaveLength(3)
})

test('a confidential issue has no stream for guests, and an unknown record for nobody', async () => {
  const coordinator = await startCiCoordinator()
  const [rita, gus] = [
    await addMember(coordinator, 'rita', REPORTER),
    await addMember(coordinator, 'gus', GUEST),
  ]
  const { id } = await addIssue(coordinator, true)
  const statusOf = async (as: Person | undefined, topic: string) =>
    (await coordinator.app.call(as, `GET /live?topics=${topic}`)).statusCode
  expect(await statusOf(gus, `issue/${id}`)).toBe(404)
  expect(await statusOf(undefined, `issue/${id}`)).toBe(404)
  expect(await statusOf(rita, 'issue/99')).toBe(404)
  expect(await statusOf(rita, 'merge-request/99')).toBe(404)
})

test('lists of a project and a group follow new and changed issues, but not those that the reader does not see', async () => {
  const coordinator = await startInGroup('internal')
  const { admin, database, project } = coordinator
  const gus = await addMember(coordinator, 'gus', GUEST)
  const topics = [`issues/project/${project.id}`, `issues/group/${project.namespace_id}`]
  const since = `v=${Date.now()}`
  const [ofAdmin, ...ofGus] = await Promise.all([
    LiveClient.open(coordinator, { as: admin, topics: `${topics[0]},merge-requests/project/${project.id}` }),
    ...topics.map((topic) => LiveClient.open(coordinator, { as: gus, topics: topic })),
  ])
  await Promise.all([ofAdmin, ...ofGus].map((client) => client.next('hello')))
  const secret = await addIssue(coordinator, true)
  expect((await ofAdmin.next('issue')).data).toEqual({ id: secret.id })
  const issue = await addIssue(coordinator)
  for (const client of [ofAdmin, ...ofGus]) {
    expect((await client.next('issue')).data).toEqual({ id: issue.id })
  }
  await inTransaction(database, (tx) =>
    updateIssueRow(tx, issue, { state: 'closed', updated_at: Date.now() }),
  )
  for (const client of ofGus) expect((await client.next('issue')).data).toEqual({ id: issue.id })
  // What has changed between the read of a page and its stream is sent too.
  await inTransaction(database, (tx) => updateIssueRow(tx, secret, { updated_at: Date.now() }))
  for (const topic of topics) {
    const later = await LiveClient.open(coordinator, { as: gus, topics: topic, cursor: since })
    expect((await later.next('issue')).data).toEqual({ id: issue.id })
  }
  const late = await LiveClient.open(coordinator, { as: gus, topics: topics[1] ?? '', cursor: 'v=1' })
  expect((await late.next('reset')).data).toEqual({ topics: [topics[1]] })
})

test('those who have an issue open, or its list, hear that it was deleted', async () => {
  const coordinator = await startInGroup('internal')
  const { admin, database, project } = coordinator
  const gus = await addMember(coordinator, 'gus', GUEST)
  const [open, secret] = [await addIssue(coordinator), await addIssue(coordinator, true)]
  const list = `issues/project/${project.id}`
  const ofGroup = `issues/group/${project.namespace_id}`
  const [one, ofGus, ofMany] = [
    await LiveClient.open(coordinator, { as: gus, topics: `issue/${open.id}` }),
    await LiveClient.open(coordinator, { as: gus, topics: list }),
    await LiveClient.open(coordinator, { as: admin, topics: ofGroup }),
  ]
  await Promise.all([one, ofGus, ofMany].map((client) => client.next('hello')))
  await inTransaction(database, (tx) => deleteIssueRow(tx, open))
  expect((await one.next('issue-deleted')).data).toEqual({ id: open.id })
  expect((await ofGus.next('issue-deleted')).data).toEqual({ id: open.id })
  expect((await ofMany.next('reset')).data).toEqual({ topics: [ofGroup] })
  // Nobody can say any more which readers of the list saw it.
  await inTransaction(database, (tx) => deleteIssueRow(tx, secret))
  expect((await ofGus.next('reset')).data).toEqual({ topics: [list] })
})

test('epics and snippets, their comments and what is in an epic reach the streams of those who see them', async () => {
  const coordinator = await startInGroup('internal')
  const { admin, app, database, project } = coordinator
  const gus = await addMember(coordinator, 'gus', GUEST)
  const sam = await addPerson(database, 'sam')
  const now = { created_at: Date.now(), updated_at: Date.now() }
  const made = { author_id: admin.id, title: 'a', ...now }
  const newEpic = () =>
    inTransaction(database, (tx) => insertEpic(tx, { ...made, group_id: project.namespace_id }))
  const [epic, other] = [await newEpic(), await newEpic()]
  const snippet = await insertSnippet(database, {
    ...made,
    project_id: project.id,
    visibility: 'private',
    file_name: 'a.md',
    is_ready: true,
  })
  const issue = await addIssue(coordinator)
  const of = { epic: epic.id, snippet: snippet.id }
  for (const [kind, id] of Object.entries(of))
    expect(
      (await app.call(kind === 'epic' ? undefined : sam, `GET /live?topics=${kind}/${id}`)).statusCode,
    ).toBe(404)
  const topics = `epic/${epic.id},epic/${other.id},snippet/${snippet.id}`
  const client = await LiveClient.open(coordinator, { as: gus, topics })
  await client.next('hello')
  const note = { body: 'Why?', discussion_id: 'a'.repeat(40), author_id: admin.id, ...now }
  const added = await inTransaction(database, async (tx) => {
    await insertNote(tx, { ...note, project_id: project.id, snippet_id: snippet.id })
    return insertNote(tx, { ...note, epic_id: epic.id })
  })
  expect((await client.next('epic')).data).toEqual({ id: epic.id })
  expect((await client.next('snippet')).data).toEqual({ id: snippet.id })
  // What has changed between the read of a page and its stream is sent too, comments included.
  const cursor = `v=${Date.now()}`
  const later = await LiveClient.open(coordinator, { as: gus, topics: `epic/${epic.id}`, cursor })
  expect((await later.next('epic')).data).toEqual({ id: epic.id })
  const changes: ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => deleteNoteRow(tx, added.id),
    (tx) => putIntoEpic(tx, epic.id, issue.id),
    (tx) => takeFromEpic(tx, issue.id),
    (tx) => insertEpicLink(tx, { source_id: other.id, target_id: epic.id, link_type: 'relates_to' }),
    (tx) => setParent(tx, epic.id, other.id),
  ]
  for (const change of changes) {
    await inTransaction(database, change)
    await later.next('epic')
  }
  await updateSnippet(database, snippet.id, { title: 'b' })
  expect((await client.next('snippet')).data).toEqual({ id: snippet.id })
  await deleteEpicRow(database, epic.id)
  expect((await client.next('epic-deleted')).data).toEqual({ id: epic.id })
  await deleteSnippetRow(database, snippet.id)
  expect((await client.next('snippet-deleted')).data).toEqual({ id: snippet.id })
})

test('a change of a wiki reaches those who read it', async () => {
  const coordinator = await startInGroup('private')
  const { app, database, project } = coordinator
  const gus = await addMember(coordinator, 'gus', GUEST)
  const sam = await addPerson(database, 'sam')
  const topics = [`wiki/project/${project.id}`, `wiki/group/${project.namespace_id}`]
  for (const topic of topics) expect((await app.call(sam, `GET /live?topics=${topic}`)).statusCode).toBe(404)
  const client = await LiveClient.open(coordinator, { as: gus, topics: topics[0] ?? '' })
  await client.next('hello')
  await inTransaction(database, (tx) => {
    emitWiki(tx, 'groupWikis', project.namespace_id)
    emitWiki(tx, 'projectWikis', project.id)
    return Promise.resolve()
  })
  expect((await client.next('wiki')).data).toEqual({ topic: topics[0] })
})

test('a transaction that is rolled back deletes nothing for readers', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, database } = coordinator
  const issue = await addIssue(coordinator)
  const client = await LiveClient.open(coordinator, { as: admin, topics: `issue/${issue.id}` })
  await client.next('hello')
  const failing = inTransaction(database, async (tx) => {
    await deleteIssueRow(tx, issue)
    throw new Error('No')
  })
  await expect(failing).rejects.toThrow('No')
  await addNote(coordinator, issue.id)
  await client.next('issue')
  expect(client.events.map(({ name }) => name)).not.toContain('issue-deleted')
})

test('many changes at once are one event for the readers of a list', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, database, project } = coordinator
  const topics = `issues/project/${project.id}`
  const client = await LiveClient.open(coordinator, { as: admin, topics })
  await client.next('hello')
  const times = { created_at: 0, updated_at: 0 }
  await inTransaction(database, async (tx) => {
    for (let count = 0; count < 51; count += 1) {
      await insertIssue(tx, { project_id: project.id, author_id: admin.id, title: 'a', ...times })
    }
  })
  expect((await client.next('reset')).data).toEqual({ topics: [topics] })
  expect(client.events.some(({ name }) => name === 'issue')).toBe(false)
})

test('changes reach those who wrote the issue or are assigned to it, and still see it', async () => {
  const coordinator = await startCiCoordinator()
  const { database } = coordinator
  const [gus, rita] = [
    await addMember(coordinator, 'gus', GUEST),
    await addMember(coordinator, 'rita', REPORTER),
  ]
  const issue = await addIssue(coordinator)
  await inTransaction(database, (tx) => setAssignees(tx, issue.id, [rita.id]))
  const [ofGus, ofRita] = await Promise.all([
    LiveClient.open(coordinator, { as: gus, topics: 'me' }),
    LiveClient.open(coordinator, { as: rita, topics: 'me' }),
  ])
  await Promise.all([ofGus.next('hello'), ofRita.next('hello')])
  await inTransaction(database, (tx) => updateIssueRow(tx, issue, { title: 'b' }))
  expect((await ofRita.next('issue')).data).toEqual({ id: issue.id })
  await inTransaction(database, (tx) => setAssignees(tx, issue.id, [gus.id, rita.id]))
  await inTransaction(database, (tx) => updateIssueRow(tx, issue, { title: 'c' }))
  expect((await ofGus.next('issue')).data).toEqual({ id: issue.id })
  await ofRita.next('issue')
  await database.deleteFrom('member').where('user_id', '=', gus.id).execute()
  await inTransaction(database, (tx) => updateIssueRow(tx, issue, { title: 'd' }))
  await ofRita.next('issue')
  expect(ofGus.events.filter(({ name }) => name === 'issue')).toHaveLength(1)
})

test('lists of others have no stream', async () => {
  const coordinator = await startInGroup('private')
  const { app, project } = coordinator
  const sam = await addPerson(coordinator.database, 'sam')
  for (const kind of ['issues', 'merge-requests']) {
    for (const of of [`project/${project.id}`, `group/${project.namespace_id}`, 'group/99']) {
      expect((await app.call(sam, `GET /live?topics=${kind}/${of}`)).statusCode).toBe(404)
    }
  }
})
