import { expect, test } from 'vitest'

import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { insertNote } from '../../../src/coordinator/hosting/note-store.js'
import { insertAward } from '../../../src/coordinator/planning/stores/award-emoji-store.js'
import {
  insertIssue,
  type IssueRow,
  updateIssueRow,
} from '../../../src/coordinator/planning/stores/issue-store.js'
import { type CiCoordinator, startCiCoordinator } from '../support/ci-coordinator.js'
import { LiveClient } from '../support/live-client.js'
import { addMember } from '../support/project-team.js'
import type { Person } from '../support/test-app.js'

const GUEST = 10
const REPORTER = 20

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
