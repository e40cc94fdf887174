import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import { tokenDigest } from '../../../lib/tokens.js'
import { MAINTAINER, OWNER } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { memberLevelInGroup } from '../../access/membership-levels.js'
import { isMemberOfGroup, isMemberOfProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import { textKeyedRead } from '../../database/keyed-read.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import type { RunnerManagerTable, RunnerTable } from '../../database/tables/runners.js'
import { onlineSince } from '../queue/online.js'

export type Runner = Selectable<RunnerTable>
export type Manager = Selectable<RunnerManagerTable>

const runnerByDigest = textKeyedRead('token_digest', (database) => database.selectFrom('runner').selectAll())

/** The runner with this authentication token; undefined if the token has expired. */
export async function findRunnerByToken(database: Database, token: string): Promise<Runner | undefined> {
  const runner = await runnerByDigest(database, tokenDigest(token))
  return runner && isExpired(runner) ? undefined : runner
}

function isExpired({ token_expires_at }: Runner): boolean {
  return token_expires_at !== null && token_expires_at <= Date.now()
}

export function findRunner(database: Database, id: number): Promise<Runner | undefined> {
  return database.selectFrom('runner').selectAll().where('id', '=', id).executeTakeFirst()
}

export type GroupOfRunners = Pick<Selectable<NamespaceTable>, 'id' | 'full_path' | 'shared_runners_setting'>

/** The groups that the user owns, with their subgroups. */
export function ownedGroups(database: Database, user: User) {
  return database.selectFrom('namespace').select('namespace.id').where(isMemberOfGroup(user.id, OWNER))
}

export async function ownsGroup(database: Database, user: User, groupId: number): Promise<boolean> {
  return (await memberLevelInGroup(database, user.id, groupId)) >= OWNER
}

/** Ids of the projects in the group of a group runner and in the groups below it. */
export async function projectsBelowGroup(database: Database, groupId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('namespace as top')
    .innerJoin('project', (join) =>
      join.on(({ eb, ref }) =>
        eb(
          sql`substr(${ref('project.full_path')}, 1, length(${ref('top.full_path')}) + 1)`,
          '=',
          sql`${ref('top.full_path')} || '/'`,
        ),
      ),
    )
    .select('project.id')
    .where('top.id', '=', groupId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Ids of the projects that have the runner and that the user maintains. */
export async function maintainedProjectsOfRunner(
  database: Database,
  user: User,
  runnerId: number,
): Promise<number[]> {
  const links = await database
    .selectFrom('runner_project')
    .select('project_id')
    .where('runner_id', '=', runnerId)
    .where('project_id', 'in', maintainedProjects(database, user))
    .execute()
  return links.map(({ project_id }) => project_id)
}

export function maintainedProjects(database: Database, user: User) {
  return database.selectFrom('project').select('project.id').where(isMemberOfProject(user, MAINTAINER))
}

export function insertRunner(database: Database, row: Insertable<RunnerTable>): Promise<Runner> {
  return database.insertInto('runner').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateRunner(database: Database, id: number, set: Updateable<RunnerTable>): Promise<Runner> {
  return database
    .updateTable('runner')
    .set({ updated_at: Date.now(), ...set })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteRunnerRow(database: Database, id: number): Promise<void> {
  await deleteDependents(database, 'runner', id)
  await database.deleteFrom('runner').where('id', '=', id).execute()
}

/** False if the project already has the runner. */
export async function linkRunner(database: Database, runnerId: number, projectId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('runner_project')
    .values({ runner_id: runnerId, project_id: projectId })
    .onConflict((conflict) => conflict.columns(['runner_id', 'project_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function unlinkRunner(database: Database, runnerId: number, projectId: number): Promise<void> {
  await database
    .deleteFrom('runner_project')
    .where('runner_id', '=', runnerId)
    .where('project_id', '=', projectId)
    .execute()
}

export function projectsOfRunner(database: Database, runnerId: number) {
  return database
    .selectFrom('project')
    .innerJoin('runner_project', 'runner_project.project_id', 'project.id')
    .select(['project.id', 'project.name', 'project.path', 'project.full_path'])
    .where('runner_project.runner_id', '=', runnerId)
    .orderBy('project.id')
    .execute()
}

/** The group of a group runner. */
export function groupsOfRunner(database: Database, { group_id }: Runner) {
  return database
    .selectFrom('namespace')
    .select(['id', 'name', 'full_path'])
    .where('id', '=', group_id ?? 0)
    .execute()
}

export function findProject(database: Database, id: number): Promise<Project | undefined> {
  return database.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Which of the runners have a job right now: it has a lease from its claim until it ends. */
export async function busyRunners(database: Database, runnerIds: number[]): Promise<Set<number>> {
  if (runnerIds.length === 0) return new Set()
  const rows = await database
    .selectFrom('lease')
    .select('runner_id')
    .distinct()
    .where('runner_id', 'in', runnerIds)
    .execute()
  return new Set(rows.map(({ runner_id }) => runner_id))
}

/** Numbers of jobs that runners have right now; those without a job are absent. */
export async function countRunningJobs(
  database: Database,
  runnerIds: readonly number[],
): Promise<Map<number, number>> {
  if (runnerIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('lease')
    .select((eb) => ['runner_id', eb.fn.countAll<number>().as('jobs')])
    .where('runner_id', 'in', runnerIds)
    .groupBy('runner_id')
    .execute()
  return new Map(rows.map(({ runner_id, jobs }) => [runner_id, jobs]))
}

/** System ids of the machines of the runner that have a job right now. */
export async function busyMachines(database: Database, runnerId: number): Promise<Set<string>> {
  // The leases are few: `cross join` lets SQLite read them first.
  const rows = await database
    .selectFrom('lease')
    .crossJoin('job')
    .select('job.runner_system_id')
    .distinct()
    .whereRef('job.id', '=', 'lease.job_id')
    .where('lease.runner_id', '=', runnerId)
    .where('job.status', 'in', ['running', 'canceling'])
    .execute()
  return new Set(rows.flatMap(({ runner_system_id }) => runner_system_id ?? []))
}

/** The settings that online machines report, by runner. */
export async function onlineConfigsOf(
  database: Database,
  runnerIds: readonly number[],
  now: number,
): Promise<Map<number, Record<string, unknown>[]>> {
  if (runnerIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('runner_manager')
    .select(['runner_id', 'config'])
    .where('runner_id', 'in', runnerIds)
    .where('contacted_at', '>', onlineSince(now))
    .execute()
  const configs = new Map<number, Record<string, unknown>[]>()
  for (const { runner_id: id, config } of rows) configs.set(id, [...(configs.get(id) ?? []), config])
  return configs
}

export function managersOf(database: Database, runnerId: number): Promise<Manager[]> {
  return database
    .selectFrom('runner_manager')
    .selectAll()
    .where('runner_id', '=', runnerId)
    .orderBy('id')
    .execute()
}

/** False if the runner has no such manager. */
export async function deleteManager(
  database: Database,
  runnerId: number,
  systemId: string,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('runner_manager')
    .where('runner_id', '=', runnerId)
    .where('system_id', '=', systemId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
