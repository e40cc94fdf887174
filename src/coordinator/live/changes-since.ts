import type { User } from '../access/caller.js'
import { findPipelineVersion } from '../ci/pipelines/graph/store.js'
import type { PipelineRow } from '../database/tables/pipeline-rows.js'
import { type LiveEvent, liveEvent, resetOf, wikiEvent } from './live-event.js'
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
import { plannedChangesSince } from './publish-planned.js'
import {
  findChangedJobs,
  findJobRows,
  findNewestPipelines,
  findPipelines,
  findPlannedVersion,
  findProjectVersion,
  findWikiVersion,
} from './store.js'
import type { Topic } from './topics.js'

/** Number of pipelines of a project that are compared with a cursor. */
const NEWEST = 100
/** If more of them have changed, the client reads the list again. */
const MAX_PIPELINES = 30
/**
 * Changes that are this much older than a cursor are sent too, in milliseconds: a transaction may commit later than one
 * with a later time, the clocks of coordinators differ, and the events of a publication are sent one by one.
 */
const MARGIN = 5000

/** Events with what has changed in a topic since a time or version. The client may have a part of it. */
export async function* changesSince(
  deps: LiveRecordDeps,
  topic: Topic,
  since: number,
  viewer: User | undefined,
): AsyncGenerator<LiveEvent, void> {
  const changedAfter = since - MARGIN
  switch (topic.kind) {
    case 'pipeline':
      yield* changesOfPipeline(deps, topic.id, changedAfter, viewer)
      break
    case 'project':
      if ((await findProjectVersion(deps.database, topic.id)) > changedAfter) {
        yield liveEvent('project', { id: topic.id }, { kind: topic.kind })
      }
      yield* changedPipelines(deps, topic, changedAfter)
      break
    case 'job':
      yield* changeOfJob(deps, topic.id, changedAfter)
      break
    case 'issue':
    case 'merge-request':
    case 'epic':
    case 'snippet':
      if (since < Date.now() - MARGIN) yield resetOf(topic)
      // Emoji do not count as changes here.
      else if ((await findPlannedVersion(deps.database, { kind: topic.kind, id: topic.id })) > changedAfter) {
        yield liveEvent(topic.kind, { id: topic.id }, { kind: topic.kind })
      }
      break
    case 'issues':
    case 'merge-requests':
      if (since < Date.now() - MARGIN) yield resetOf(topic)
      else yield* await plannedChangesSince(deps.database, topic, { changedAfter, viewer })
      break
    case 'wiki':
      if (since < Date.now() - MARGIN) yield resetOf(topic)
      else if ((await findWikiVersion(deps.database, topic)) > changedAfter) yield wikiEvent(topic)
      break
    case 'me':
    case 'runners':
      // Their former changes are not known.
      if (since < Date.now() - MARGIN) yield resetOf(topic)
      break
    case 'trace':
      break
  }
}

async function* changesOfPipeline(
  deps: LiveRecordDeps,
  id: number,
  changedAfter: number,
  viewer: User | undefined,
): AsyncGenerator<LiveEvent, void> {
  const { database } = deps
  // Read before the jobs: these are then at least as new as the version says.
  const version = (await findPipelineVersion(database, id)) ?? 0
  const [pipeline] = await findPipelines(database, [id])
  if (!pipeline || version <= changedAfter) return
  yield* changedJobs(deps, pipeline, { version, changedAfter, viewer })
  const state = await pipelineState(deps, pipeline)
  if (state) yield pipelineEvent(state, version)
}

async function* changedJobs(
  deps: LiveRecordDeps,
  pipeline: PipelineRow,
  { version, changedAfter, viewer }: { version: number; changedAfter: number; viewer: User | undefined },
): AsyncGenerator<LiveEvent, void> {
  for (let after = 0, isLast = false; !isLast;) {
    const ids = await findChangedJobs(deps.database, pipeline.id, {
      changedAfter,
      after,
      limit: JOBS_PER_EVENT,
    })
    isLast = ids.length < JOBS_PER_EVENT
    after = ids.at(-1) ?? after
    const { jobs } = await graphJobs(deps, pipeline, ids, viewer)
    if (isLast) jobs.push(...(await externalJobs(deps, pipeline.id)))
    if (jobs.length > 0) yield jobsEvent(pipeline, jobs, version)
  }
}

async function* changedPipelines(
  deps: LiveRecordDeps,
  topic: Topic,
  changedAfter: number,
): AsyncGenerator<LiveEvent, void> {
  const newest = await findNewestPipelines(deps.database, topic.id, NEWEST)
  const changed = newest.filter(({ updated_at }) => updated_at > changedAfter).map(({ id }) => id)
  if (changed.length > MAX_PIPELINES) {
    yield resetOf(topic)
    return
  }
  for (const id of changed) {
    const version = (await findPipelineVersion(deps.database, id)) ?? 0
    for (const pipeline of await findPipelines(deps.database, [id])) {
      const state = await pipelineState(deps, pipeline)
      if (state) yield pipelineEvent(state, version)
    }
  }
}

async function* changeOfJob(
  deps: LiveRecordDeps,
  id: number,
  changedAfter: number,
): AsyncGenerator<LiveEvent, void> {
  const [job] = await findJobRows(deps.database, [id])
  const event = job && job.updated_at > changedAfter ? await jobEvent(deps, job) : undefined
  if (event) yield event
}
