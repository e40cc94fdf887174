import type { Group, Project } from '../access/caller.js'
import { describeRunners } from '../ci/runners/describe-runners.js'
import {
  allRunners,
  type RunnerParts,
  runnersAmong,
  runnersOfGroup,
  runnersOfProject,
} from '../ci/runners/runner-lists.js'
import { countRunningJobs, type Runner } from '../ci/runners/store.js'
import type { Database } from '../database/connect.js'
import { isoTimeOrNull } from '../http/presenters/present-time.js'
import type { GatheredChanges } from './changes.js'
import { type LiveEvent, liveEvent } from './live-event.js'
import { countQueue, findPlacedJobs } from './store.js'
import { nameOf, type RunnersTopic } from './topics.js'

export interface PublishRunnersDeps {
  database: Database
  /** Without a trailing slash. */
  externalUrl: string
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findGroup: (idOrPath: string) => Promise<Group | undefined>
  /** Topics about runners that streams have. */
  runnersTopics: () => RunnersTopic[]
  /** Sends an event once to each stream that has one of these topics. */
  publish: (topics: readonly string[], event: LiveEvent) => void
}

/** Publishes the changed runners and the lengths of the queue. */
export async function publishRunners(deps: PublishRunnersDeps, changes: GatheredChanges): Promise<void> {
  const { database } = deps
  const topics = deps.runnersTopics()
  const jobs = changes.jobs.size === 0 ? [] : await findPlacedJobs(database, [...changes.jobs])
  const ids = new Set([...changes.runners, ...jobs.flatMap(({ runner_id }) => runner_id ?? [])])
  if (ids.size > 0) await publishChanged(deps, topics, [...ids])
  if (changes.jobs.size === 0) return
  for (const topic of topics) {
    const length = await queueLength(deps, topic)
    const name = nameOf(topic)
    deps.publish([name], liveEvent('queue', { topic: name, length }, { kind: 'runners' }))
  }
}

async function publishChanged(
  deps: PublishRunnersDeps,
  topics: readonly RunnersTopic[],
  ids: number[],
): Promise<void> {
  const { database } = deps
  const existing = await runnersAmong(database, allRunners(database), ids)
  const messages = await runnerMessages(deps, existing)
  const deleted = ids.filter((id) => !messages.has(id))
  for (const topic of topics) {
    const parts = await listRunners(deps, topic)
    const runners = parts ? await runnersAmong(database, parts, ids) : []
    for (const { id } of runners) {
      const message = messages.get(id)
      if (message) deps.publish([nameOf(topic)], liveEvent('runner', message, { kind: 'runners' }))
    }
    for (const id of deleted) {
      deps.publish([nameOf(topic)], liveEvent('runner-deleted', { id }, { kind: 'runners' }))
    }
  }
}

async function runnerMessages({ database, externalUrl }: PublishRunnersDeps, runners: Runner[]) {
  const records = await describeRunners(database, externalUrl, runners)
  const running = await countRunningJobs(
    database,
    runners.map(({ id }) => id),
  )
  const contacts = new Map(runners.map(({ id, contacted_at }) => [id, contacted_at]))
  return new Map(
    records.map((record) => [
      record.id,
      {
        ...record,
        contacted_at: isoTimeOrNull(contacts.get(record.id) ?? null),
        running_jobs: running.get(record.id) ?? 0,
      },
    ]),
  )
}

/** The list of the topic; undefined if its project or group was deleted. */
async function listRunners(
  { database, findProject, findGroup }: PublishRunnersDeps,
  { of, id }: RunnersTopic,
): Promise<RunnerParts | undefined> {
  switch (of) {
    case 'instance':
      return allRunners(database)
    case 'project': {
      const project = await findProject(String(id))
      return project && runnersOfProject(database, project)
    }
    case 'group': {
      const group = await findGroup(String(id))
      return group && runnersOfGroup(database, group)
    }
  }
}

async function queueLength(
  { database, findGroup }: PublishRunnersDeps,
  { of, id }: RunnersTopic,
): Promise<number> {
  switch (of) {
    case 'instance':
      return countQueue(database)
    case 'project':
      return countQueue(database, { projectId: id })
    case 'group': {
      const group = await findGroup(String(id))
      return group ? countQueue(database, { below: group.full_path }) : 0
    }
  }
}
