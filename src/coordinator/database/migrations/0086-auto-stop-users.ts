import { type Kysely, sql } from 'kysely'

/**
 * User in whose name an environment is stopped when its time ends. For existing stop times, it is the user of
 * the last successful deployment by a job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('environment')
    .addColumn('auto_stop_user_id', 'bigint', (column) => column.references('user.id').onDelete('set null'))
    .execute()
  await sql`
    create index environment_by_auto_stop_user on environment (auto_stop_user_id)
      where auto_stop_user_id is not null`.execute(db)
  await sql`
    update environment set auto_stop_user_id = (
      select deployment.user_id from deployment
      where deployment.environment_id = environment.id
        and deployment.status = 'success' and deployment.job_id is not null
      order by deployment.finished_at desc, deployment.id desc limit 1
    ) where auto_stop_at is not null`.execute(db)
}
