import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { CommitCommentTable } from '../../database/tables/commit-comments.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import type { Paging } from '../../http/operation.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type CommentRow = Selectable<CommitCommentTable>

export function findLatestPipeline(
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
): Promise<Rows<CommentRow>> {
  const comments = database
    .selectFrom('commit_comment')
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
  return listRows(database, comments, paging, { table: 'commit_comment', column: 'id', direction: 'asc' })
}

export function insertComment(
  database: Database,
  values: Insertable<CommitCommentTable>,
): Promise<CommentRow> {
  return database.insertInto('commit_comment').values(values).returningAll().executeTakeFirstOrThrow()
}
