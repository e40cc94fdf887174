import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../database/connect.js'
import { fits, type RunnerProfile } from './match.js'
import { countRunningOnInstanceRunners } from './running-jobs.js'
import type { TagSets } from './tag-sets.js'

/**
 * Jobs in the queue that no runner can tell apart, oldest first. There are few lanes however many jobs wait, and an
 * index leads from the head of one to the head of the next (migration 0010, `queue_entry_lane`): a search among
 * 100,000 jobs reads one row for each lane.
 */
export interface Lane {
  project_id: number
  tag_set_id: number
  protected: boolean
  instance_runners_allowed: boolean
  priority: number
}

/** A lane and its oldest job. */
export interface LaneHead extends Lane {
  job_id: number
  queued_at: number
}

/** A job that waits for longer than this goes before others of its project, whatever their priorities. Milliseconds. */
const OVERTAKEN_FOR_AT_MOST = 3600 * 1000

/** Lanes whose jobs the runner may take, the one to serve first in front. */
export async function lanesInOrder(
  database: Database,
  tagSets: TagSets,
  runner: RunnerProfile,
  now = Date.now(),
): Promise<LaneHead[]> {
  const heads = await headsInScope(database, runner)
  const tags = await tagSets.read(
    heads.map((head) => head.tag_set_id),
    database,
  )
  const fitting = heads.filter((head) =>
    fits(runner, { tags: tags.get(head.tag_set_id) ?? [], protected: head.protected }),
  )
  if (fitting.length < 2) return fitting
  const running = runner.type === 'instance_type' ? await countRunningOnInstanceRunners(database) : new Map()
  return inOrder(fitting, running, now)
}

/**
 * The project whose turn it is comes first: the one with the fewest jobs in `running`, then the one with the oldest job
 * (CI language, 14.2). Which of its jobs it gives is a matter of their priorities: no other project waits longer for them.
 */
export function inOrder(
  heads: readonly LaneHead[],
  running: ReadonlyMap<number, number>,
  now: number,
): LaneHead[] {
  return byProject(heads)
    .map((lanes) => ({
      running: running.get(lanes[0].project_id) ?? 0,
      oldest: Math.min(...lanes.map((head) => head.job_id)),
      lanes: lanes.sort((a, b) => urgency(b, now) - urgency(a, now) || a.job_id - b.job_id),
    }))
    .sort((a, b) => a.running - b.running || a.oldest - b.oldest)
    .flatMap(({ lanes }) => lanes)
}

type Lanes = [LaneHead, ...LaneHead[]]

function byProject(heads: readonly LaneHead[]): Lanes[] {
  const projects = new Map<number, Lanes>()
  for (const head of heads) {
    const lanes = projects.get(head.project_id)
    if (lanes) lanes.push(head)
    else projects.set(head.project_id, [head])
  }
  return [...projects.values()]
}

function urgency({ priority, queued_at }: LaneHead, now: number): number {
  return now - queued_at > OVERTAKEN_FOR_AT_MOST ? Number.MAX_SAFE_INTEGER : priority
}

async function headsInScope(database: Database, runner: RunnerProfile): Promise<LaneHead[]> {
  if (!runner.active) return []
  switch (runner.type) {
    case 'instance_type':
      return (await findAllHeads(database)).filter((head) => head.instance_runners_allowed)
    case 'project_type':
      return findHeadsOfProjects(database, projectsOfRunner(runner.runnerId))
    case 'group_type':
      return runner.groupPath === undefined ? [] : findHeadsOfProjects(database, projectsIn(runner.groupPath))
  }
}

/** Greater than any: what comes after it in the index is in another lane. */
const lastJobId = sql.raw('9223372036854775807')

/**
 * SQLite would read a whole lane in each step but for two things: `lastJobId`, because it searches from "greater or
 * equal" on, and `+ 0`, without which it sees two integer columns compared and follows the first one only.
 */
async function findAllHeads(database: Database): Promise<LaneHead[]> {
  const { rows } = await sql<LaneHead>`
    with recursive lane(head) as (
      select (
        select job_id from queue_entry
        order by project_id, tag_set_id, protected, instance_runners_allowed, priority, job_id limit 1
      )
      union all
      select (
        select later.job_id from queue_entry later
        where
          (later.project_id, later.tag_set_id, later.protected, later.instance_runners_allowed, later.priority,
            later.job_id)
          > (entry.project_id + 0, entry.tag_set_id + 0, entry.protected, entry.instance_runners_allowed,
            entry.priority + 0, ${lastJobId})
        order by later.project_id, later.tag_set_id, later.protected, later.instance_runners_allowed,
          later.priority, later.job_id limit 1
      )
      from lane join queue_entry entry on entry.job_id = lane.head
    )
    ${selectHeads}`.execute(database)
  return rows
}

function projectsOfRunner(runnerId: number): RawBuilder<unknown> {
  return sql`select project_id as id from runner_project where runner_id = ${runnerId}`
}

/** Of the group and its subgroups, those that take group runners. */
function projectsIn(groupPath: string): RawBuilder<unknown> {
  const inside = `${groupPath}/`
  return sql`
    select project.id from namespace join project on project.namespace_id = namespace.id
    where project.group_runners_enabled
      and (namespace.full_path = ${groupPath} or substr(namespace.full_path, 1, ${inside.length}) = ${inside})`
}

/** The same walk, begun at each of the projects and never leaving it. */
async function findHeadsOfProjects(database: Database, projects: RawBuilder<unknown>): Promise<LaneHead[]> {
  const { rows } = await sql<LaneHead>`
    with recursive lane(head) as (
      select (
        select first.job_id from queue_entry first where first.project_id = served.id
        order by first.tag_set_id, first.protected, first.instance_runners_allowed, first.priority, first.job_id
        limit 1
      )
      from (${projects}) served
      union all
      select (
        select later.job_id from queue_entry later
        where later.project_id = entry.project_id
          and (later.tag_set_id, later.protected, later.instance_runners_allowed, later.priority, later.job_id)
            > (entry.tag_set_id + 0, entry.protected, entry.instance_runners_allowed, entry.priority + 0,
              ${lastJobId})
        order by later.tag_set_id, later.protected, later.instance_runners_allowed, later.priority, later.job_id
        limit 1
      )
      from lane join queue_entry entry on entry.job_id = lane.head
    )
    ${selectHeads}`.execute(database)
  return rows
}

const selectHeads = sql`
  select entry.job_id, entry.project_id, entry.tag_set_id, entry.protected, entry.instance_runners_allowed,
    entry.priority, entry.queued_at
  from lane join queue_entry entry on entry.job_id = lane.head`
