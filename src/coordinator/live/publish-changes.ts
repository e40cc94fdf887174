import type { LRUCache } from 'lru-cache'

import { chunks } from '../../lib/chunks.js'
import type { User } from '../access/caller.js'
import type { GraphJob } from '../ci/pipelines/graph/schema.js'
import { findPipelineVersion } from '../ci/pipelines/graph/store.js'
import { countPendingTodos } from '../planning/stores/todo-store.js'
import type { Audience } from './audience.js'
import type { GatheredChanges } from './changes.js'
import { type LiveEvent, liveEvent, wikiEvent } from './live-event.js'
import {
  externalJobs,
  graphJobs,
  jobEvent,
  JOBS_PER_EVENT,
  jobsEvent,
  type LiveRecordDeps,
  pipelineEvent,
  pipelineState,
} from './live-records.js'
import { publishPlanned, type PublishPlannedDeps } from './publish-planned.js'
import {
  findJobRows,
  findPipelines,
  findPlacedJobs,
  findPlacedPipelines,
  findTriggerJobs,
  type PlacedJob,
  type PlacedPipeline,
} from './store.js'
import { keyOf, nameOf, type WikiTopic } from './topics.js'

export interface PublishDeps extends LiveRecordDeps, PublishPlannedDeps {
  /** The last state of each pipeline that was published. */
  published: LRUCache<number, string>
}

interface VersionedPipeline extends PlacedPipeline {
  version: number
}

/** Reads the changed records that streams have asked for, and publishes them. */
export async function publishChanges(deps: PublishDeps, changes: GatheredChanges): Promise<void> {
  const asOf = Date.now()
  const jobs = await changedJobs(deps, changes)
  for (const pipeline of await changedPipelines(deps, changes, jobs)) {
    await publishJobsOfPipeline(deps, pipeline, {
      ids: jobs.flatMap((job) => (job.pipeline_id === pipeline.id ? job.id : [])),
      mayBeExternal: changes.pipelines.has(pipeline.id),
      asOf,
    })
    await publishPipeline(deps, pipeline, asOf)
  }
  await publishJobs(deps, jobs, asOf)
  for (const pipeline of changes.deletedPipelines.values()) {
    deps.published.delete(pipeline.id)
    deps.publish(topicsOf(pipeline), liveEvent('pipeline-deleted', pipeline, { kind: 'pipeline' }))
  }
  for (const id of changes.projects) {
    deps.publish([nameOf({ kind: 'project', id })], liveEvent('project', { id }, { kind: 'project' }))
  }
  await publishTodos(deps, changes.todosOf)
  await publishPlanned(deps, changes)
  for (const id of changes.projectWikis) publishWiki(deps, { kind: 'wiki', of: 'project', id })
  for (const id of changes.groupWikis) publishWiki(deps, { kind: 'wiki', of: 'group', id })
}

/** All who follow a wiki may read all of it: that takes no query. */
function publishWiki({ publish }: PublishDeps, topic: WikiTopic): void {
  publish([keyOf(topic)], wikiEvent(topic))
}

/** With the trigger jobs that show a changed pipeline. */
async function changedJobs(
  { database }: PublishDeps,
  { jobs, pipelines }: GatheredChanges,
): Promise<PlacedJob[]> {
  const triggers = pipelines.size === 0 ? [] : await findTriggerJobs(database, [...pipelines])
  const ids = [...new Set([...jobs, ...triggers])]
  return ids.length === 0 ? [] : findPlacedJobs(database, ids)
}

/**
 * The changed pipelines that streams have asked for. Their versions are read before their records, so that these
 * are at least as new as the version says.
 */
async function changedPipelines(
  { database, has }: PublishDeps,
  { pipelines }: GatheredChanges,
  jobs: readonly PlacedJob[],
): Promise<VersionedPipeline[]> {
  const placed = new Map(
    jobs.map(({ pipeline_id: id, project_id, pipeline_user_id: user_id }): [number, PlacedPipeline] => [
      id,
      { id, project_id, user_id },
    ]),
  )
  const others = [...pipelines].filter((id) => !placed.has(id))
  if (others.length > 0) {
    for (const pipeline of await findPlacedPipelines(database, others)) placed.set(pipeline.id, pipeline)
  }
  const found: VersionedPipeline[] = []
  for (const pipeline of placed.values()) {
    if (![...topicsOf(pipeline), keyOf({ kind: 'me', id: pipeline.user_id })].some(has)) continue
    const version = await findPipelineVersion(database, pipeline.id)
    if (version !== undefined) found.push({ ...pipeline, version })
  }
  return found
}

function topicsOf({ id, project_id }: Pick<PlacedPipeline, 'id' | 'project_id'>): string[] {
  return [nameOf({ kind: 'pipeline', id }), nameOf({ kind: 'project', id: project_id })]
}

async function publishJobsOfPipeline(
  deps: PublishDeps,
  pipeline: VersionedPipeline,
  { ids, mayBeExternal, asOf }: { ids: number[]; mayBeExternal: boolean; asOf: number },
): Promise<void> {
  const audiences = deps.audiencesOf(nameOf({ kind: 'pipeline', id: pipeline.id }))
  if (audiences.length === 0) return
  for (const some of chunks(ids, JOBS_PER_EVENT)) {
    await publishTo(audiences, (viewer) => graphJobs(deps, pipeline, some, viewer), eventOf)
  }
  const external = mayBeExternal ? await externalJobs(deps, pipeline.id) : []
  await publishTo(audiences, async () => ({ jobs: external, isShared: true }), eventOf)

  function eventOf(jobs: GraphJob[]): LiveEvent {
    return jobsEvent(pipeline, jobs, pipeline.version, asOf)
  }
}

/** Reads the jobs once, or once for each viewer if these see different ones. */
async function publishTo(
  audiences: readonly Audience[],
  read: (viewer: User | undefined) => Promise<{ jobs: GraphJob[]; isShared: boolean }>,
  eventOf: (jobs: GraphJob[]) => LiveEvent,
): Promise<void> {
  let shared: LiveEvent | undefined
  for (const { viewer, publish } of audiences) {
    if (!shared) {
      const { jobs, isShared } = await read(viewer)
      if (jobs.length === 0) return
      const event = eventOf(jobs)
      if (isShared) shared = event
      publish(event)
    } else publish(shared)
  }
}

async function publishPipeline(
  deps: PublishDeps,
  { id, version }: VersionedPipeline,
  asOf: number,
): Promise<void> {
  for (const pipeline of await findPipelines(deps.database, [id])) {
    const state = await pipelineState(deps, pipeline)
    if (!state) continue
    const text = JSON.stringify(state)
    if (deps.published.get(id) === text) continue
    deps.published.set(id, text)
    const topics = [...topicsOf(pipeline), ...(await topicsOfUser(deps, pipeline))]
    deps.publish(topics, pipelineEvent(state, version, asOf))
  }
}

/** The topic of the user who started the pipeline, if the user may still read it. */
async function topicsOfUser(
  deps: PublishDeps,
  { user_id, project_id }: Pick<PlacedPipeline, 'user_id' | 'project_id'>,
): Promise<string[]> {
  const topic = keyOf({ kind: 'me', id: user_id })
  const [audience] = deps.audiencesOf(topic)
  const project = audience && (await deps.findProject(String(project_id)))
  return project && (await deps.mayRead(audience.viewer, project)) ? [topic] : []
}

async function publishTodos(deps: PublishDeps, userIds: Iterable<number>): Promise<void> {
  for (const id of userIds) {
    const topic = keyOf({ kind: 'me', id })
    if (!deps.has(topic)) continue
    const count = await countPendingTodos(deps.database, id)
    deps.publish([topic], liveEvent('todos', { count }, { kind: 'me' }))
  }
}

async function publishJobs(deps: PublishDeps, jobs: readonly PlacedJob[], asOf: number): Promise<void> {
  const ids = jobs.map(({ id }) => id).filter((id) => deps.has(nameOf({ kind: 'job', id })))
  if (ids.length === 0) return
  for (const job of await findJobRows(deps.database, ids)) {
    const event = await jobEvent(deps, job, asOf)
    if (event) deps.publish([nameOf({ kind: 'job', id: job.id })], event)
  }
}
