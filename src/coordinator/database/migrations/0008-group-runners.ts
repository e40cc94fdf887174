import type { Kysely } from 'kysely'

/** Group runners, and groups that disable instance runners (CI language, 14.1). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db

  await schema
    .alterTable('runner')
    .addColumn('group_id', 'bigint', (c) => c.references('namespace.id').onDelete('cascade'))
    .execute()
  await schema.createIndex('runner_by_group_id').on('runner').column('group_id').execute()

  await schema
    .alterTable('project')
    .addColumn('group_runners_enabled', 'boolean', (c) => c.notNull().defaultTo(true))
    .execute()

  await schema
    .alterTable('namespace')
    .addColumn('shared_runners_setting', 'text', (c) => c.notNull().defaultTo('enabled'))
    .execute()
  await schema.alterTable('namespace').addColumn('runners_token_digest', 'text').execute()
  await schema
    .createIndex('namespace_runners_token_digest_once')
    .on('namespace')
    .column('runners_token_digest')
    .unique()
    .execute()
}
