import { type Kysely, sql } from 'kysely'

/** Pipelines whose artifacts are kept regardless of their expiry time (CI language, 16.3). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('project')
    .addColumn('keep_latest_artifact', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()

  await schema
    .createTable('artifact_lock')
    .addColumn('project_id', 'bigint', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('tag', 'boolean', (c) => c.notNull())
    .addColumn('pipeline_id', 'bigint', (c) => c.notNull().references('pipeline.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('artifact_lock_once', ['project_id', 'ref', 'tag'])
    .execute()
  await schema.createIndex('artifact_lock_by_pipeline_id').on('artifact_lock').column('pipeline_id').execute()

  await sql`
    insert into artifact_lock (project_id, ref, tag, pipeline_id)
    select project_id, ref, tag, max(id) from pipeline where status = 'success' group by project_id, ref, tag
  `.execute(db)
}
