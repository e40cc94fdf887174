import type { Selectable } from 'kysely'

import type { CommitComment, NoteTable } from '../../../database/tables/notes.js'

/** The comment of a note on a commit. */
export function commitCommentOf(row: Selectable<NoteTable>): CommitComment {
  const { position } = row
  const isOld = position !== null && position.new_line === null && position.old_line !== null
  return {
    id: row.id,
    project_id: row.project_id ?? 0,
    sha: row.commit_sha ?? '',
    author_id: row.author_id,
    note: row.body,
    path: position === null ? null : isOld ? position.old_path : position.new_path,
    line: position === null ? null : isOld ? position.old_line : position.new_line,
    line_type: position === null ? null : isOld ? 'old' : 'new',
    created_at: row.created_at,
  }
}
