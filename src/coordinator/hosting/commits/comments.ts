import { randomBytes } from 'node:crypto'

import type { Project, User } from '../../access/caller.js'
import type { CommitComment, NotePosition } from '../../database/tables/notes.js'
import { inTransaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import type { Rows } from '../../http/paging/list-rows.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { storeNotice } from '../../integrations/mail/notice-store.js'
import { commitCommentOf } from '../../integrations/webhooks/outbox/commit-comment.js'
import { emitNoteEvent } from '../../integrations/webhooks/outbox/emit-note-event.js'
import { insertNote } from '../note-store.js'
import { commitById } from '../repositories/browse/commit-log.js'
import { diffOf } from '../repositories/browse/diffs.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { CommitDeps } from './list-commits.js'
import type { Comment, NewComment } from './schema.js'
import { listComments } from './store.js'

export async function commentsOf(
  deps: CommitDeps,
  project: Project,
  sha: string,
  paging: Paging,
): Promise<Rows<Comment>> {
  const { rows, total } = await listComments(deps.pushes.database, project.id, sha, paging)
  return { rows: await describe(deps, rows), total }
}

/**
 * Adds a comment to a commit. The comment refers to a line only if the commit was named by its full SHA and
 * its diff contains the line. Otherwise it refers to the whole commit (API, E3).
 */
export async function addCommitComment(
  deps: CommitDeps,
  { project, user, reading }: { project: Project; user: User; reading: Reading },
  sha: string,
  params: NewComment,
): Promise<Comment | undefined> {
  const place = params.sha === sha ? await notePosition(reading, sha, params) : null
  const row = await inTransaction(deps.pushes.database, async (tx) => {
    const now = Date.now()
    const row = await insertNote(tx, {
      project_id: project.id,
      commit_sha: sha,
      discussion_id: randomBytes(20).toString('hex'),
      author_id: user.id,
      body: params.note,
      position: place && JSON.stringify(place),
      created_at: now,
      updated_at: now,
    })
    await storeNotice(tx, 'note', project.id, { id: row.id })
    const comment = commitCommentOf(row)
    await emitNoteEvent(tx, { comment })
    return comment
  })
  return (await describe(deps, [row]))[0]
}

async function notePosition(
  reading: Reading,
  sha: string,
  { path, line, line_type }: NewComment,
): Promise<NotePosition | null> {
  if (path === undefined || line === undefined) return null
  const type = line_type ?? 'new'
  const [parent] = (await commitById(reading, sha)).parentIds
  const { files } = await diffOf(reading, { from: parent, to: sha })
  const file = files.find(({ newPath, oldPath }) => path === (type === 'new' ? newPath : oldPath))
  if (!file || !hasLine(file.diff, type, line)) return null
  return {
    base_sha: parent ?? sha,
    start_sha: parent ?? sha,
    head_sha: sha,
    position_type: 'text',
    old_path: file.oldPath,
    new_path: file.newPath,
    old_line: type === 'old' ? line : null,
    new_line: type === 'old' ? null : line,
  }
}

/** Whether a diff contains this line on the given side. */
function hasLine(diff: string, type: 'new' | 'old', line: number): boolean {
  const side = type === 'new' ? '\\+' : '-'
  for (const [, start = '', length = '1'] of diff.matchAll(
    new RegExp(`^@@ .*?${side}(\\d+)(?:,(\\d+))?.*? @@`, 'gm'),
  )) {
    if (line >= Number(start) && line < Number(start) + Number(length)) return true
  }
  return false
}

async function describe({ pushes, externalUrl }: CommitDeps, rows: CommitComment[]): Promise<Comment[]> {
  const authors = await usersById(pushes.database, [...new Set(rows.map(({ author_id }) => author_id))])
  return rows.map(({ note, path, line, line_type, author_id, created_at }) => {
    const author = authors.get(author_id)
    return {
      note,
      path,
      line,
      line_type,
      author: author ? presentUser(author, externalUrl) : null,
      created_at: isoTime(created_at),
    }
  })
}
