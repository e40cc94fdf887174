import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { NoteTable } from '../../database/tables/notes.js'
import { isoTime } from '../../http/presenters/present-time.js'
import type { Event } from './schema.js'
import type { ActivityRow } from './store.js'

export type EventTarget = Pick<
  Event,
  'target_id' | 'target_iid' | 'target_type' | 'target_title' | 'wiki_page'
> & {
  /** The comment, without its author, who is the author of the event. */
  note?: Omit<NonNullable<Event['note']>, 'author'>
}

export const NO_TARGET: EventTarget = {
  target_id: null,
  target_iid: null,
  target_type: null,
  target_title: null,
}

/** The targets of the events, by ID of the event; events on a project or a ref have none. One query for each kind. */
export async function targetsOf(
  database: Database,
  rows: readonly ActivityRow[],
): Promise<Map<number, EventTarget>> {
  const targets = new Map<number, EventTarget>()
  for (const { column, find } of KINDS) {
    const ids = [...new Set(rows.flatMap((row) => row[column] ?? []))]
    const found = ids.length === 0 ? new Map<number, EventTarget>() : await find(database, ids)
    for (const row of rows) {
      const target = found.get(row[column] ?? 0)
      if (target) targets.set(row.id, target)
    }
  }
  return targets
}

type FindTargets = (database: Database, ids: readonly number[]) => Promise<Map<number, EventTarget>>

const KINDS: readonly {
  column: 'issue_id' | 'merge_request_id' | 'milestone_id' | 'wiki_page_id' | 'note_id'
  find: FindTargets
}[] = [
  { column: 'issue_id', find: numbered('issue', 'Issue') },
  { column: 'merge_request_id', find: numbered('merge_request', 'MergeRequest') },
  { column: 'milestone_id', find: numbered('milestone', 'Milestone') },
  { column: 'wiki_page_id', find: wikiPages },
  { column: 'note_id', find: comments },
]

/** Targets that have a number in their project. */
function numbered(table: 'issue' | 'merge_request' | 'milestone', target_type: string): FindTargets {
  return async (database, ids) => {
    const rows = await database
      .selectFrom(table)
      .select(['id', 'iid', 'title'])
      .where('id', 'in', ids)
      .execute()
    return new Map(
      rows.map(({ id, iid, title }) => [
        id,
        { target_id: id, target_iid: iid, target_type, target_title: title },
      ]),
    )
  }
}

async function wikiPages(database: Database, ids: readonly number[]): Promise<Map<number, EventTarget>> {
  const rows = await database.selectFrom('wiki_page').selectAll().where('id', 'in', ids).execute()
  return new Map(
    rows.map(({ id, title, format, slug }) => [
      id,
      {
        target_id: id,
        target_iid: id,
        target_type: 'WikiPage::Meta',
        target_title: title,
        wiki_page: { format, slug, title, wiki_page_meta_id: id },
      },
    ]),
  )
}

async function comments(database: Database, ids: readonly number[]): Promise<Map<number, EventTarget>> {
  const rows = await database
    .selectFrom('note')
    .leftJoin('issue', 'issue.id', 'note.issue_id')
    .leftJoin('merge_request', 'merge_request.id', 'note.merge_request_id')
    .leftJoin('snippet', 'snippet.id', 'note.snippet_id')
    .selectAll('note')
    .select(({ fn }) => [
      fn.coalesce('issue.iid', 'merge_request.iid').as('noteable_iid'),
      fn.coalesce('issue.title', 'merge_request.title', 'snippet.title').as('noteable_title'),
    ])
    .where('note.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, commented(row)]))
}

interface CommentRow extends Selectable<NoteTable> {
  noteable_iid: number | null
  noteable_title: string | null
}

function commented(row: CommentRow): EventTarget {
  const { id, type, body, project_id, commit_sha, internal, noteable_iid } = row
  return {
    target_id: id,
    target_iid: id,
    target_type: type ?? 'Note',
    target_title: row.noteable_title,
    note: {
      id,
      type,
      body,
      attachment: null,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
      system: false,
      noteable_id: row.issue_id ?? row.merge_request_id ?? row.snippet_id,
      noteable_type: noteableType(row),
      noteable_iid,
      ...(commit_sha !== null && { commit_id: commit_sha }),
      project_id,
      internal,
      confidential: internal,
    },
  }
}

function noteableType(row: CommentRow): 'Issue' | 'MergeRequest' | 'Snippet' | 'Commit' {
  if (row.issue_id !== null) return 'Issue'
  if (row.merge_request_id !== null) return 'MergeRequest'
  return row.snippet_id === null ? 'Commit' : 'Snippet'
}
