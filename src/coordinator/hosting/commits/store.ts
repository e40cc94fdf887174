import type { Database } from '../../database/connect.js'
import type { CommitComment } from '../../database/tables/notes.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import type { Paging } from '../../http/page.js'
import type { Rows } from '../../http/paging/list-rows.js'
import { commitCommentOf } from '../../integrations/webhooks/outbox/commit-comment.js'
import { listNotes } from '../note-store.js'

export function findLatestPipelineOfCommit(
  database: Database,
  projectId: number,
  sha: string,
): Promise<PipelineRow | undefined> {
  return database
    .selectFrom('pipeline')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Lists comments, oldest first. */
export async function listComments(
  database: Database,
  projectId: number,
  sha: string,
  paging: Paging,
): Promise<Rows<CommitComment>> {
  const owner = { column: 'commit_sha', id: sha, projectId } as const
  const order = { column: 'created_at', direction: 'asc' } as const
  // Comments say nothing about places that not everybody sees.
  const filter = { internal: true, viewer: undefined, activity: 'only_comments' } as const
  const { rows, total } = await listNotes(database, owner, filter, paging, order)
  return { rows: rows.map(commitCommentOf), total }
}
