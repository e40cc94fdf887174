import { sql } from 'kysely'

import { onlineSince } from '../../ci/queue/online.js'
import type { Database, DialectName } from '../../database/connect.js'
import { GIVEN_UP_AFTER } from '../../integrations/webhooks/hook-health.js'

export async function countJobs(
  database: Database,
): Promise<{ waiting: number; oldest_at: number | null; running: number }> {
  const queued = await database
    .selectFrom('queue_entry')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('queued_at').as('oldest_at')])
    .executeTakeFirstOrThrow()
  const { running } = await database
    .selectFrom('lease')
    .select(({ fn }) => fn.countAll<number>().as('running'))
    .executeTakeFirstOrThrow()
  return { ...queued, running }
}

export async function countAllRunners(
  database: Database,
  now: number,
): Promise<{ total: number; online: number; busy: number; paused: number }> {
  const isOnline = sql`active and coalesce(contacted_at, 0) > ${onlineSince(now)}`
  const counts = await database
    .selectFrom('runner')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      sql<number>`coalesce(sum(case when ${isOnline} then 1 else 0 end), 0)`.as('online'),
      sql<number>`coalesce(sum(case when active then 0 else 1 end), 0)`.as('paused'),
    ])
    .executeTakeFirstOrThrow()
  const { busy } = await database
    .selectFrom('lease')
    .select(({ fn }) => fn.count<number>('runner_id').distinct().as('busy'))
    .executeTakeFirstOrThrow()
  return { ...counts, busy }
}

export async function countAll(
  database: Database,
): Promise<{ users: number; pending_users: number; groups: number; projects: number }> {
  const { users } = await database
    .selectFrom('user')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
  const { pending_users } = await database
    .selectFrom('user')
    .select(({ fn }) => fn.countAll<number>().as('pending_users'))
    .where('state', '=', 'blocked_pending_approval')
    .executeTakeFirstOrThrow()
  const { groups } = await database
    .selectFrom('namespace')
    .select(({ fn }) => fn.countAll<number>().as('groups'))
    .where('kind', '=', 'group')
    .executeTakeFirstOrThrow()
  const { projects } = await database
    .selectFrom('project')
    .select(({ fn }) => fn.countAll<number>().as('projects'))
    .executeTakeFirstOrThrow()
  return { users, pending_users, groups, projects }
}

/** More webhooks are not listed. */
const MAX_FAILING = 20

/** The webhooks that are disabled because they failed, for a time or until someone changes them. */
export async function findFailingHooks(database: Database, now: number) {
  const rows = await database
    .selectFrom('web_hook')
    .leftJoin('project', 'project.id', 'web_hook.project_id')
    .leftJoin('namespace', 'namespace.id', 'web_hook.group_id')
    .select(['web_hook.id', 'web_hook.name', 'web_hook.integration_id'])
    .select(['project.full_path as project_path', 'namespace.full_path as group_path'])
    .where((eb) =>
      eb.or([eb('web_hook.disabled_until', '>', now), eb('web_hook.recent_failures', '>=', GIVEN_UP_AFTER)]),
    )
    .orderBy('web_hook.id')
    .limit(MAX_FAILING)
    .execute()
  return rows.map(({ id, name, integration_id, project_path, group_path }) => ({
    id,
    name,
    kind: kindOf({ integration_id, project_path, group_path }),
    path: project_path ?? group_path,
  }))
}

function kindOf(hook: {
  integration_id: number | null
  project_path: string | null
  group_path: string | null
}): 'project' | 'group' | 'system' | 'integration' {
  if (hook.integration_id !== null) return 'integration'
  if (hook.project_path !== null) return 'project'
  return hook.group_path === null ? 'system' : 'group'
}

export async function countDeliveries(
  database: Database,
  now: number,
): Promise<{ pending: number; retrying: number; resting: number; disabled: number }> {
  const deliveries = await database
    .selectFrom('hook_delivery')
    .select(({ fn }) => [
      fn.countAll<number>().as('pending'),
      sql<number>`coalesce(sum(case when attempts > 0 then 1 else 0 end), 0)`.as('retrying'),
    ])
    .executeTakeFirstOrThrow()
  const hooks = await database
    .selectFrom('web_hook')
    .select([
      sql<number>`coalesce(sum(case when disabled_until > ${now} then 1 else 0 end), 0)`.as('resting'),
      sql<number>`coalesce(sum(case when recent_failures >= ${GIVEN_UP_AFTER} then 1 else 0 end), 0)`.as(
        'disabled',
      ),
    ])
    .executeTakeFirstOrThrow()
  return { ...deliveries, ...hooks }
}

export function countMails(database: Database): Promise<{ pending: number; retrying: number }> {
  return database
    .selectFrom('mail')
    .select(({ fn }) => [
      fn.countAll<number>().as('pending'),
      sql<number>`coalesce(sum(case when attempts > 0 then 1 else 0 end), 0)`.as('retrying'),
    ])
    .executeTakeFirstOrThrow()
}

/** Version of the database, and its size in bytes. */
export async function databaseFacts(
  database: Database,
  dialect: DialectName,
): Promise<{ version: string; size: number }> {
  const query =
    dialect === 'sqlite'
      ? sql<{ version: string; size: number }>`
          select sqlite_version() as version, page_count * page_size as size
          from pragma_page_count(), pragma_page_size()`
      : sql<{ version: string; size: number }>`
          select current_setting('server_version') as version, pg_database_size(current_database()) as size`
  const { rows } = await query.execute(database)
  const [facts] = rows
  if (!facts) throw new Error('The database did not describe itself')
  return facts
}
