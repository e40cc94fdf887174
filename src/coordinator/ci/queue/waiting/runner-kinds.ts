import { type ExpressionBuilder, sql } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import type { RunnerType } from '../../../database/tables/runners.js'
import type { KindProfile } from '../match.js'
import { onlineSince } from '../online.js'
import type { RunnerKind } from './pending-reason.js'

/** Online runners that no job can tell apart. */
export interface OnlineRunners extends RunnerKind {
  /** Number of runners. */
  runners: number
  /** Number of runners with at least one job; they may have free capacity. */
  withJobs: number
}

interface KindRow {
  runner_type: RunnerType
  active: boolean
  run_untagged: boolean
  access_level: 'not_protected' | 'ref_protected'
  tag_list: string[]
  group_path?: string | null
  project_id?: number
}

/**
 * The kinds of runners, including paused and offline ones, that could serve one of the projects. There are
 * few kinds however many runners there are. For project runners, only these projects are listed.
 */
export async function findRunnerKinds(
  database: Database,
  projectIds: number[],
  now: number,
): Promise<RunnerKind[]> {
  // In SQLite, a comparison in the result is a number.
  const isOnline = sql`coalesce(runner.contacted_at, 0) > ${onlineSince(now)}`.as('is_online')
  const shared = await sharedRunners(database).select(isOnline).distinct().execute()
  const ofProjects = await projectRunners(database, projectIds).select(isOnline).distinct().execute()
  return [...shared, ...ofProjects].map((row) => ({
    profile: profileOf(row),
    isOnline: Boolean(row.is_online),
  }))
}

/** Like `findRunnerKinds`, for runners that are online and not paused, with their number. */
export async function countOnlineRunners(
  database: Database,
  projectIds: number[],
  now: number,
): Promise<OnlineRunners[]> {
  const shared = await sharedRunners(database)
    .select(COUNTS)
    .where(isReady(now))
    .groupBy([...COMMON, 'namespace.full_path'])
    .execute()
  const ofProjects = await projectRunners(database, projectIds)
    .select(COUNTS)
    .where(isReady(now))
    .groupBy(OF_PROJECTS)
    .execute()
  return [...shared, ...ofProjects].map(({ runners, with_jobs, ...row }) => ({
    profile: profileOf(row),
    isOnline: true,
    runners,
    withJobs: with_jobs,
  }))
}

/**
 * The kinds of the project's own runners that are online and not paused, with all projects that such runners
 * serve.
 */
export async function kindsWithAllProjects(
  database: Database,
  projectId: number,
  now: number,
): Promise<KindProfile[]> {
  const rows = await database
    .selectFrom('runner_project as own')
    .innerJoin('runner', 'runner.id', 'own.runner_id')
    .innerJoin('runner_project', 'runner_project.runner_id', 'runner.id')
    .select(OF_PROJECTS)
    .distinct()
    .where('own.project_id', '=', projectId)
    .where(isReady(now))
    .execute()
  const kinds = new Map<string, { row: KindRow; projectIds: number[] }>()
  for (const { project_id, ...row } of rows) {
    const key = JSON.stringify(row)
    const projectIds = [...(kinds.get(key)?.projectIds ?? []), project_id]
    kinds.set(key, { row, projectIds })
  }
  return [...kinds.values()].map(({ row, projectIds }) => profileOf(row, projectIds))
}

const COMMON = [
  'runner.runner_type',
  'runner.active',
  'runner.run_untagged',
  'runner.access_level',
  'runner.tag_list',
] as const
const SHARED = [...COMMON, 'namespace.full_path as group_path'] as const
const OF_PROJECTS = [...COMMON, 'runner_project.project_id'] as const
const COUNTS = [
  sql<number>`count(*)`.as('runners'),
  sql<number>`sum(case when runner.id in (select lease.runner_id from lease) then 1 else 0 end)`.as(
    'with_jobs',
  ),
] as const

function sharedRunners(database: Database) {
  return database
    .selectFrom('runner')
    .leftJoin('namespace', 'namespace.id', 'runner.group_id')
    .select(SHARED)
    .where('runner.runner_type', 'in', ['instance_type', 'group_type'])
}

function projectRunners(database: Database, projectIds: number[]) {
  return database
    .selectFrom('runner_project')
    .innerJoin('runner', 'runner.id', 'runner_project.runner_id')
    .select(OF_PROJECTS)
    .where('runner_project.project_id', 'in', projectIds)
    .where('runner.runner_type', '=', 'project_type')
}

function isReady(now: number) {
  return ({ and, eb }: ExpressionBuilder<Tables, 'runner'>) =>
    and([eb('runner.active', '=', true), eb('runner.contacted_at', '>', onlineSince(now))])
}

function profileOf(
  row: KindRow,
  projectIds = row.project_id === undefined ? [] : [row.project_id],
): KindProfile {
  const { runner_type, active, run_untagged, access_level, tag_list, group_path } = row
  return {
    type: runner_type,
    active,
    runUntagged: run_untagged,
    tags: new Set(tag_list),
    protectedOnly: access_level === 'ref_protected',
    projectIds: new Set(projectIds),
    groupPath: group_path ?? undefined,
  }
}
