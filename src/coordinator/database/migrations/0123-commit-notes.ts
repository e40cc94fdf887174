import { randomBytes } from 'node:crypto'

import { type Kysely, sql } from 'kysely'

interface Comment {
  project_id: number
  sha: string
  author_id: number | null
  note: string
  path: string | null
  line: number | null
  line_type: 'new' | 'old' | null
  created_at: number
}

/** Comments on commits are notes, so that they have discussions. Those of deleted users belong to the ghost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('note').addColumn('commit_sha', 'text').execute()
  await db.schema
    .createIndex('note_by_commit')
    .on('note')
    .columns(['commit_sha', 'project_id', 'id'])
    .execute()
  const { rows } = await sql<Comment>`
    select commit_comment.project_id, sha, coalesce(author_id, ghost.id) as author_id, note, path, line, line_type,
      commit_comment.created_at
    from commit_comment left join "user" as ghost on ghost.kind = 'ghost'
    order by commit_comment.id`.execute(db)
  for (const { project_id, sha, author_id, note, created_at, ...place } of rows) {
    if (author_id === null) continue
    await sql`
      insert into note (project_id, commit_sha, discussion_id, author_id, body, position, created_at, updated_at)
      values (${project_id}, ${sha}, ${randomBytes(20).toString('hex')}, ${author_id}, ${note},
        ${positionOf(sha, place)}, ${created_at}, ${created_at})`.execute(db)
  }
  await db.schema.dropTable('commit_comment').execute()
}

function positionOf(sha: string, { path, line, line_type }: Pick<Comment, 'path' | 'line' | 'line_type'>) {
  if (path === null) return null
  const lines = { old_line: line_type === 'old' ? line : null, new_line: line_type === 'old' ? null : line }
  const commits = { base_sha: sha, start_sha: sha, head_sha: sha }
  return JSON.stringify({ ...commits, position_type: 'text', old_path: path, new_path: path, ...lines })
}
