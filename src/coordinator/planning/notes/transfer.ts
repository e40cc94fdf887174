import { sql, type SqlBool } from 'kysely'

import { streamedChunks } from '../../../lib/chunks.js'
import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import type { NotePosition } from '../../database/tables/notes.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { insertNote, type NoteRow } from '../../hosting/note-store.js'
import { type TransferPart, transferPart, type TransferTarget } from '../../http/archive-part.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { findIssue } from '../stores/issue-store.js'
import { findMergeRequest } from '../stores/merge-request-store.js'
import { insertSuggestions, type SuggestionRow, suggestionsOf } from '../suggestions/suggestion-store.js'
import type { NamingText } from '../system-notes/reference-notes.js'
import { emojiOf, type TransferredEmoji, writeEmoji } from '../transfer/transferred-emoji.js'
import { peopleNamed } from '../transfer/transferred-people.js'
import { TransferredNote, type TransferredPosition } from './transfer-schema.js'

/**
 * Import and export of the notes of issues, merge requests and commits, with their threads and emoji. An author whom the import does not
 * know is the importer; the text then names who wrote it.
 */
export function notePart(database: Database): TransferPart {
  return transferPart({
    name: 'notes',
    schema: TransferredNote,
    read: ({ id }) => notesOf(database, id),
    identityOf: ({ issue, merge_request, commit, discussion_id, created_at, body }) => [
      ...(commit === undefined ? [issue ?? null, merge_request ?? null] : [commit]),
      ...[discussion_id, created_at, withoutAuthor(body)],
    ],
    write: (target, record) => inTransaction(database, (tx) => writeNote(tx, target, record)),
  })
}

async function* notesOf(database: Database, projectId: number): AsyncGenerator<TransferredNote> {
  const rows = inPages(
    database
      .selectFrom('note')
      .leftJoin('issue', 'issue.id', 'note.issue_id')
      .leftJoin('merge_request', 'merge_request.id', 'note.merge_request_id')
      .innerJoin('user as author', 'author.id', 'note.author_id')
      .leftJoin('user as resolver', 'resolver.id', 'note.resolved_by_id')
      .selectAll('note')
      .select(['issue.iid as issue', 'merge_request.iid as merge_request'])
      .select(['author.username as author', 'resolver.username as resolved_by'])
      .where('note.project_id', '=', projectId)
      // What names something from outside is not in the archive.
      .where(
        () => sql<SqlBool>`(note.action is null or note.action <> 'cross_reference'
          or note.named_by_project_id = ${projectId}
          or note.named_by_issue_id in (select id from issue where project_id = ${projectId})
          or note.named_by_merge_request_id in (select id from merge_request where project_id = ${projectId}))`,
      ),
    'note',
  )
  for await (const chunk of streamedChunks(rows, CHUNK)) yield* await recordsOf(database, chunk)
}

/** Number of notes whose suggestions are read at once. */
const CHUNK = 500

async function recordsOf(database: Database, rows: readonly NamedRow[]): Promise<TransferredNote[]> {
  const ids = rows.map(({ id }) => id)
  const suggestions = await suggestionsOf(database, ids)
  const emoji = await emojiOf(database, 'note', ids)
  return rows.map((row) => recordOf(row, suggestions.get(row.id) ?? [], emoji.get(row.id) ?? []))
}

type NamedRow = NoteRow & {
  issue: number | null
  merge_request: number | null
  author: string
  resolved_by: string | null
}

function recordOf(
  row: NamedRow,
  suggestions: readonly SuggestionRow[],
  award_emoji: TransferredEmoji[],
): TransferredNote {
  const { issue, merge_request, commit_sha: commit } = row
  return {
    ...(issue !== null && { issue }),
    ...(merge_request !== null && { merge_request }),
    ...(commit !== null && { commit }),
    discussion_id: row.discussion_id,
    type: row.type,
    author: row.author,
    body: row.body,
    system: row.system,
    action: row.action,
    internal: row.internal,
    resolved_at: isoTimeOrNull(row.resolved_at),
    resolved_by: row.resolved_by,
    position: positionRecord(row.position),
    original_position: positionRecord(row.original_position),
    line_code: row.line_code,
    outdated_at: isoTimeOrNull(row.outdated_at),
    award_emoji,
    suggestions: suggestions.map(({ lines_above, lines_below, from_content, to_content, commit_sha }) => {
      return { lines_above, lines_below, from_content, to_content, commit_sha }
    }),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    last_edited_at: isoTimeOrNull(row.last_edited_at),
  }
}

function positionRecord(position: NotePosition | null): TransferredPosition | null {
  if (position === null) return null
  const { line_range, ...others } = position
  const isRange = typeof line_range === 'object' && line_range !== null
  return isRange ? { ...others, line_range: { ...line_range } } : others
}

async function writeNote(tx: Transaction, target: TransferTarget, record: TransferredNote): Promise<void> {
  const { project, importer } = target
  const { body, system = false, author = '', resolved_by, resolved_at, award_emoji = [] } = record
  if (body.trim() === '') throw invalidRecord({ body: ["can't be blank"] })
  const owner = await ownerOf(tx, project.id, record)
  const people = await peopleNamed(tx, target, [author, resolved_by, ...award_emoji.map(({ user }) => user)])
  const isKnown = people.has(author) || author === importer.username || author === ''
  const time = (text: string | null | undefined) => (typeof text === 'string' ? Date.parse(text) : null)
  const { id } = await insertNote(tx, {
    ...owner,
    ...(record.action === 'cross_reference' && (await namingPlaceIn(tx, project.id, body))),
    project_id: project.id,
    discussion_id: record.discussion_id,
    type: record.type ?? null,
    author_id: people.get(author) ?? importer.id,
    body: isKnown || system ? body : writtenBy(author) + body,
    system,
    action: record.action ?? null,
    internal: record.internal ?? false,
    resolved_at: time(resolved_at),
    resolved_by_id: typeof resolved_by === 'string' ? (people.get(resolved_by) ?? importer.id) : null,
    position: positionColumn(record.position),
    original_position: positionColumn(record.original_position),
    line_code: record.line_code ?? null,
    head_sha: record.position?.head_sha ?? null,
    outdated_at: time(record.outdated_at),
    created_at: Date.parse(record.created_at),
    updated_at: Date.parse(record.updated_at),
    last_edited_at: time(record.last_edited_at),
  })
  await writeEmoji(tx, { table: 'note', id }, award_emoji, people)
  await insertSuggestions(
    tx,
    id,
    (record.suggestions ?? []).map(({ lines_above, lines_below, from_content, to_content, commit_sha }) => ({
      lines_above,
      lines_below,
      from_content,
      to_content,
      commit_sha: commit_sha ?? null,
    })),
  )
  await target.onWritten?.(tx, id)
}

/** The place in the project that names something, from the text of the note about it. */
async function namingPlaceIn(
  tx: Transaction,
  projectId: number,
  body: string,
): Promise<NamingText['namedBy']> {
  const [, kind, iid] = /^mentioned in (issue #|merge request !|commit )([0-9a-f]+)$/.exec(body) ?? []
  if (kind === 'commit ') return { named_by_project_id: projectId }
  if (kind === 'issue #')
    return { named_by_issue_id: (await findIssue(tx, projectId, Number(iid)))?.id ?? null }
  if (kind === undefined) return {}
  return { named_by_merge_request_id: (await findMergeRequest(tx, projectId, Number(iid)))?.id ?? null }
}

/** Throws 400 unless one owner is given, and 404 for an unknown issue or merge request. */
async function ownerOf(
  tx: Transaction,
  projectId: number,
  { issue, merge_request, commit }: TransferredNote,
) {
  if ([issue, merge_request, commit].filter((one) => one !== undefined).length !== 1) {
    throw apiError('imported_note_without_subject')
  }
  if (commit !== undefined) return { commit_sha: commit }
  if (issue !== undefined) {
    const row = await findIssue(tx, projectId, issue)
    if (!row) throw notFound(`Issue ${issue}`)
    return { issue_id: row.id }
  }
  const row = await findMergeRequest(tx, projectId, merge_request ?? 0)
  if (!row) throw notFound(`Merge Request ${merge_request}`)
  return { merge_request_id: row.id }
}

function positionColumn(position: TransferredPosition | null | undefined): string | null {
  if (!position) return null
  const { old_path = null, new_path = null, old_line = null, new_line = null } = position
  return JSON.stringify({ ...position, old_path, new_path, old_line, new_line })
}

/** The first line of a comment whose author is not known here. */
function writtenBy(author: string): string {
  return `*Written by \`${author.replaceAll(/[`\s]/g, '')}\`.*\n\n`
}

function withoutAuthor(body: string): string {
  return body.replace(/^\*Written by `[^`\s]*`\.\*\n\n/, '')
}
