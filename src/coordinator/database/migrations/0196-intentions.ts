import { type Kysely, sql } from 'kysely'

/**
 * Approvals, and merges that wait for a pipeline, get what they were given for; for those that are there, it is what is
 * the case now.
 * What acts in a source project names its user.
 * Nobody knows who has asked for the removal of a branch, or allowed pushes, before: so those branches stay.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema.alterTable('merge_request_approval').addColumn('head_sha', 'text').execute()
  await schema.alterTable('merge_request_approval').addColumn('target_branch', 'text').execute()
  for (const column of ['remove_source_branch_by_id', 'collaboration_by_id']) {
    await schema
      .alterTable('merge_request')
      .addColumn(column, 'bigint', (c) => c.references('user.id').onDelete('set null'))
      .execute()
    // Finds what refers to a user who is deleted.
    await sql`create index ${sql.ref(`merge_request_${column}`)} on merge_request (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(database)
  }
  await sql`update merge_request_approval set
      head_sha = (select head_sha from merge_request where id = merge_request_id),
      target_branch = (select target_branch from merge_request where id = merge_request_id)`.execute(database)
  await storeTerms(database)
}

interface Waiting {
  id: number
  source_project_id: number | null
  source_branch: string
  target_branch: string
  squash: boolean
  force_remove_source_branch: boolean
  merge_params: string | null
  merge_method: string
  squash_option: string
}

/** Few merge requests wait at a time. */
async function storeTerms(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Waiting>`
    select merge_request.id, source_project_id, source_branch, target_branch, squash, force_remove_source_branch,
      merge_params, merge_method, squash_option
    from merge_request join project on project.id = merge_request.project_id
    where merge_when_pipeline_succeeds`.execute(database)
  for (const { id, ...row } of rows) {
    const options = JSON.parse(row.merge_params ?? '{}') as Record<string, unknown>
    const isDecided = row.squash_option === 'always' || row.squash_option === 'never'
    const given_for = {
      source_project_id: row.source_project_id,
      source_branch: row.source_branch,
      target_branch: row.target_branch,
      merge_method: row.merge_method,
      squash: isDecided ? row.squash_option === 'always' : Boolean(options['squash'] ?? row.squash),
      removes_source_branch: Boolean(
        options['should_remove_source_branch'] ?? row.force_remove_source_branch,
      ),
    }
    const params = JSON.stringify({ ...options, given_for })
    await sql`update merge_request set merge_params = ${params} where id = ${id}`.execute(database)
  }
}
