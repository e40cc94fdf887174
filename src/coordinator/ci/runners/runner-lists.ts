import { sql, type SqlBool } from 'kysely'

import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import { dialectOf } from '../../database/dialect.js'
import type { Paging } from '../../http/page.js'
import type { Rows } from '../../http/paging/list-rows.js'
import { onlineSince } from '../queue/online.js'
import { type RunnerStatus, staleSince } from '../queue/runner-status.js'
import { filterRunners, type RunnerQuery } from './filter-runners.js'
import type { RunnerCounts, RunnerListParams } from './schema.js'
import { type GroupOfRunners, maintainedProjects, ownedGroups, type Runner } from './store.js'

/** Runners that an index with this column yields in the order of their ids, each once. */
interface Part {
  runners: RunnerQuery
  id: 'runner.id' | 'runner_project.runner_id'
}

/** Maximum number of project ids in a query. */
const FEW_PROJECTS = 500

/** The parts of a list of runners; no two parts share a runner. */
export type RunnerParts = Part[]

/** A page of the runners that match the filters, newest first. */
export async function listRunners(
  database: Database,
  parts: RunnerParts,
  filters: RunnerListParams,
  paging: Paging,
): Promise<Rows<Runner>> {
  const at = { now: Date.now(), dialect: dialectOf(database) }
  const found = parts.map(({ runners, id }) => ({ id, runners: filterRunners(runners, filters, at) }))
  const rows = await pageOfParts(database, found, paging)
  return { rows, total: paging.keyset ? undefined : await countParts(database, found, paging, rows.length) }
}

/** The runners of a list by their status. */
export async function countRunners(
  database: Database,
  parts: RunnerParts,
  now: number,
): Promise<RunnerCounts> {
  const counts = { total: 0, online: 0, offline: 0, stale: 0, never_contacted: 0, paused: 0, busy: 0 }
  for (const { runners, id } of parts) {
    const rows = await runners
      .select([
        statusIn(now).as('status'),
        sql<number>`count(*)`.as('all'),
        sql<number>`sum(case when ${sql.ref(id)} in (select runner_id from lease) then 1 else 0 end)`.as(
          'busy',
        ),
      ])
      .groupBy('status')
      .execute()
    for (const { status, all, busy } of rows) {
      counts[status] += all
      counts.total += all
      counts.busy += busy
    }
  }
  return counts
}

/** `runnerStatus` in SQL. */
function statusIn(now: number) {
  return sql<RunnerStatus>`case
    when not runner.active then 'paused'
    when runner.contacted_at is null then 'never_contacted'
    when runner.contacted_at > ${onlineSince(now)} then 'online'
    when runner.contacted_at <= ${staleSince(now)} and runner.created_at <= ${staleSince(now)} then 'stale'
    else 'offline' end`
}

/** Those of the runners with these IDs that are in the list. */
export async function runnersAmong(
  database: Database,
  parts: RunnerParts,
  ids: readonly number[],
): Promise<Runner[]> {
  const found = new Set<number>()
  for (const { runners, id } of parts) {
    const rows = await runners.where('runner.id', 'in', ids).select(sql.ref<number>(id).as('id')).execute()
    for (const row of rows) found.add(row.id)
  }
  if (found.size === 0) return []
  return database
    .selectFrom('runner')
    .selectAll()
    .where('id', 'in', [...found])
    .orderBy('id')
    .execute()
}

/** Limits each part to the page before merging, so that no part is sorted completely. */
async function pageOfParts(database: Database, parts: RunnerParts, paging: Paging): Promise<Runner[]> {
  const { perPage, offset, keyset } = paging
  const before = keyset?.after?.id
  const cut = parts.map(({ runners, id }) => {
    const ids = (before === undefined ? runners : runners.where(sql.ref<number>(id), '<', before))
      .select(sql.ref<number>(id).as('id'))
      .orderBy(sql.ref(id), 'desc')
      .limit(offset + perPage)
    return sql`select id from ${ids} as part`
  })
  const { rows } = await sql<Runner>`
    select * from runner where id in (
      select id from (${sql.join(cut, sql` union all `)}) as parts order by id desc limit ${perPage} offset ${offset}
    ) order by id desc`.execute(database)
  return rows
}

async function countParts(
  database: Database,
  parts: RunnerParts,
  { perPage, offset }: Paging,
  shown: number,
): Promise<number> {
  if (shown < perPage && (shown > 0 || offset === 0)) return offset + shown
  let total = 0
  for (const { runners, id } of parts) {
    const ids = runners.select(sql.ref<number>(id).as('id')).as('part')
    total += await countRows(database, database.selectFrom(ids))
  }
  return total
}

export function allRunners(database: Database): RunnerParts {
  return [ofRunners(database.selectFrom('runner'))]
}

/**
 * Runners of the projects that the user maintains and of the groups that the user owns. The latter belong to
 * no project.
 */
export async function runnersMaintainedBy(database: Database, user: User): Promise<RunnerParts> {
  const ofGroups = database.selectFrom('runner').where('runner.group_id', 'in', ownedGroups(database, user))
  return [...(await runnersOfMaintained(database, user)), ofRunners(ofGroups)]
}

/**
 * With few projects, the runners of each are searched. A user with many projects quickly finds matches among
 * all runners.
 */
async function runnersOfMaintained(database: Database, user: User): Promise<RunnerParts> {
  const linked = database
    .selectFrom('runner_project')
    .innerJoin('runner', 'runner.id', 'runner_project.runner_id')
    .distinct()
  const maintained = maintainedProjects(database, user)
  const some = await maintained.limit(FEW_PROJECTS + 1).execute()
  if (some.length === 0) return []
  const runners =
    some.length <= FEW_PROJECTS
      ? linked.where(
          'runner_project.project_id',
          'in',
          some.map(({ id }) => id),
        )
      : linked.where(({ exists }) =>
          exists(maintained.where(sql<SqlBool>`project.id = runner_project.project_id`)),
        )
  return [{ runners, id: 'runner_project.runner_id' }]
}

/** Runners of the project, and instance and group runners if the project allows them. */
export function runnersOfProject(database: Database, project: Project): RunnerParts {
  const linked = database
    .selectFrom('runner_project')
    .innerJoin('runner', 'runner.id', 'runner_project.runner_id')
    .where('runner_project.project_id', '=', project.id)
  return [
    { runners: linked, id: 'runner_project.runner_id' },
    ...(project.shared_runners_enabled ? instanceRunners(database) : []),
    ...(project.group_runners_enabled ? runnersAbove(database, project) : []),
  ]
}

/** Runners of the group and of its ancestors, and instance runners unless the group disables them. */
export function runnersOfGroup(database: Database, group: GroupOfRunners): RunnerParts {
  return [
    ofRunners(database.selectFrom('runner').where('runner.group_id', '=', group.id)),
    ...runnersAbove(database, group),
    ...(group.shared_runners_setting === 'enabled' ? instanceRunners(database) : []),
  ]
}

/**
 * Runners of the ancestor groups of a project or group, one query per group, so that an index yields them in
 * order.
 */
function runnersAbove(database: Database, { full_path }: { full_path: string }): RunnerParts {
  const parts = full_path.split('/')
  const paths = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  return paths.map((path) =>
    ofRunners(
      database.selectFrom('runner').where('runner.group_id', '=', ({ selectFrom }) =>
        selectFrom('namespace')
          .select('id')
          .where('kind', '=', 'group')
          .where(sql`lower(full_path)`, '=', path.toLowerCase()),
      ),
    ),
  )
}

function instanceRunners(database: Database): RunnerParts {
  return [ofRunners(database.selectFrom('runner').where('runner.runner_type', '=', 'instance_type'))]
}

function ofRunners(runners: RunnerQuery): Part {
  return { runners, id: 'runner.id' }
}
