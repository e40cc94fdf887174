import { setImmediate as nextTurn } from 'node:timers/promises'

import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { may } from '../../access/access.js'
import { isIssueSeen } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import { MAX_COUNTED } from '../../database/count-rows.js'
import { anyContainsText } from '../../database/text.js'
import type { NoteRow } from '../../hosting/note-store.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { type CallerInProject, managesIssues } from '../access/issue-access.js'
import { plansMergeRequests } from '../access/merge-request-access.js'
import { visibleIssues } from '../access/visible-issues.js'
import { visibleMergeRequests } from '../access/visible-merge-requests.js'
import { issueNotes, mergeRequestNotes, type Noteable } from '../notes/noteable.js'
import { type Note, type NoteDeps, presentNotes } from '../notes/present-note.js'

/** What one statement searches at most, in bytes and rows. SQLite searches in the event loop, a megabyte in some 2 ms. */
const MAX_BYTES = 8 * 1024 ** 2
const MAX_ROWS = 5000

/**
 * Comments with the text on the issues and merge requests of a project that the caller may read; the newest first. They are
 * searched in steps, so that others are served in between.
 */
export async function searchNotes(
  deps: NoteDeps,
  caller: CallerInProject,
  search: string,
  { offset, perPage }: Paging,
): Promise<Page> {
  const { database } = deps
  const ids = await matchingIds(database, caller, search, Math.max(MAX_COUNTED + 1, offset + perPage))
  const shown = ids.slice(offset, offset + perPage)
  const rows = shown.length === 0 ? [] : await readNotes(database, shown)
  return page(await presented(deps, caller, rows), Math.min(ids.length, MAX_COUNTED + 1))
}

function readNotes(database: Database, ids: number[]): Promise<NoteRow[]> {
  return database.selectFrom('note').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}

/** The newest first, until there are `enough`. */
async function matchingIds(
  database: Database,
  caller: CallerInProject,
  search: string,
  enough: number,
): Promise<number[]> {
  const readable = database
    .selectFrom('note')
    .where('note.project_id', '=', caller.project.id)
    .where('note.system', '=', false)
    .where(() => sql<SqlBool>`(${isOnIssue(caller)} or ${isOnMergeRequest(caller)})`)
    .orderBy('note.id', 'desc')
  const found: number[] = []
  let before = Number.MAX_SAFE_INTEGER
  while (found.length < enough) {
    const older = readable.where('note.id', '<', before)
    // The length of a text is known without reading it.
    const sizes = await older
      .select(({ fn, ref }) => ['note.id', fn<number>('octet_length', [ref('note.body')]).as('size')])
      .limit(MAX_ROWS)
      .execute()
    const last = lastOfStep(sizes)
    if (last === undefined) break
    const rows = await older
      .where('note.id', '>=', last)
      .where(({ ref }) => anyContainsText([ref('note.body')], search))
      .select('note.id')
      .execute()
    found.push(...rows.map(({ id }) => id))
    before = last
    await nextTurn()
  }
  return found
}

/** The last of the texts that one statement searches, or the first one if it alone is larger. */
function lastOfStep(sizes: readonly { id: number; size: number }[]): number | undefined {
  let left = MAX_BYTES
  let last = sizes[0]?.id
  for (const { id, size } of sizes) {
    left -= size
    if (left < 0) break
    last = id
  }
  return last
}

function isOnIssue(caller: CallerInProject): RawBuilder<SqlBool> {
  if (!may('read_issues', caller)) return sql<SqlBool>`false`
  if (managesIssues(caller)) return sql<SqlBool>`note.issue_id is not null`
  return sql<SqlBool>`(note.internal = false and note.issue_id in (select issue.id from issue
    join project on project.id = issue.project_id where ${isIssueSeen(caller.user)}))`
}

function isOnMergeRequest(caller: CallerInProject): RawBuilder<SqlBool> {
  if (!may('read_merge_requests', caller)) return sql<SqlBool>`false`
  const isSeen = plansMergeRequests(caller) ? sql`true` : sql`note.internal = false`
  return sql<SqlBool>`(note.merge_request_id is not null and ${isSeen})`
}

/** Records in the order of the rows. */
async function presented(deps: NoteDeps, caller: CallerInProject, rows: readonly NoteRow[]): Promise<Note[]> {
  const records = new Map<number, Note>()
  for (const on of await commentedBy(deps.database, caller, rows)) {
    const its = rows.filter((row) => row[on.owner.column] === on.owner.id)
    for (const record of await presentNotes(deps, on, its)) records.set(record.id, record)
  }
  return rows.flatMap(({ id }) => records.get(id) ?? [])
}

async function commentedBy(
  database: Database,
  caller: CallerInProject,
  rows: readonly NoteRow[],
): Promise<Noteable[]> {
  const issueIds = rows.flatMap(({ issue_id }) => issue_id ?? [])
  const mergeRequestIds = rows.flatMap(({ merge_request_id }) => merge_request_id ?? [])
  const issues = await visibleIssues(database, caller.user, issueIds)
  const mergeRequests = await visibleMergeRequests(database, caller.user, mergeRequestIds)
  return [
    ...issues.map((row) => issueNotes(caller, row)),
    ...mergeRequests.map((row) => mergeRequestNotes(caller, row)),
  ]
}
