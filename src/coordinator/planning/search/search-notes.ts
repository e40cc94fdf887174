import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { may } from '../../access/access.js'
import { isIssueSeen } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import { anyContainsText } from '../../database/text.js'
import type { NoteRow } from '../../hosting/note-store.js'
import { type Page, page, type Paging } from '../../http/operation.js'
import { listRows } from '../../http/paging/list-rows.js'
import { managesIssues, type Place } from '../issue-access.js'
import { plansMergeRequests } from '../merge-request-access.js'
import { issueNotes, mergeRequestNotes, type Noteable } from '../noteable.js'
import { type Note, type NoteDeps, presentNotes } from '../present-note.js'
import { visibleIssues } from '../visible-issues.js'
import { visibleMergeRequests } from '../visible-merge-requests.js'

/** Comments with the text on the issues and merge requests of a project that the caller may read; the newest first. */
export async function searchNotes(
  deps: NoteDeps,
  place: Place,
  search: string,
  paging: Paging,
): Promise<Page> {
  const { database } = deps
  const matching = database
    .selectFrom('note')
    .where('note.project_id', '=', place.project.id)
    .where('note.system', '=', false)
    .where(() => sql<SqlBool>`(${isOnIssue(place)} or ${isOnMergeRequest(place)})`)
    .where(({ ref }) => anyContainsText([ref('note.body')], search))
  const order = { table: 'note', column: 'id', direction: 'desc' } as const
  const { rows, total } = await listRows(database, matching, paging, order)
  return page(await presented(deps, place, rows), total)
}

function isOnIssue(place: Place): RawBuilder<SqlBool> {
  if (!may('read_issues', place)) return sql<SqlBool>`false`
  if (managesIssues(place)) return sql<SqlBool>`note.issue_id is not null`
  return sql<SqlBool>`(note.internal = false and note.issue_id in (select issue.id from issue
    join project on project.id = issue.project_id where ${isIssueSeen(place.user)}))`
}

function isOnMergeRequest(place: Place): RawBuilder<SqlBool> {
  if (!may('read_merge_requests', place)) return sql<SqlBool>`false`
  const isSeen = plansMergeRequests(place) ? sql`true` : sql`note.internal = false`
  return sql<SqlBool>`(note.merge_request_id is not null and ${isSeen})`
}

/** Records in the order of the rows. */
async function presented(deps: NoteDeps, place: Place, rows: readonly NoteRow[]): Promise<Note[]> {
  const records = new Map<number, Note>()
  for (const on of await commentedBy(deps.database, place, rows)) {
    const its = rows.filter((row) => row[on.owner.column] === on.owner.id)
    for (const record of await presentNotes(deps, on, its)) records.set(record.id, record)
  }
  return rows.flatMap(({ id }) => records.get(id) ?? [])
}

async function commentedBy(database: Database, place: Place, rows: readonly NoteRow[]): Promise<Noteable[]> {
  const issueIds = rows.flatMap(({ issue_id }) => issue_id ?? [])
  const mergeRequestIds = rows.flatMap(({ merge_request_id }) => merge_request_id ?? [])
  const issues = await visibleIssues(database, place.user, issueIds)
  const mergeRequests = await visibleMergeRequests(database, place.user, mergeRequestIds)
  return [
    ...issues.map((row) => issueNotes(place, row)),
    ...mergeRequests.map((row) => mergeRequestNotes(place, row)),
  ]
}
