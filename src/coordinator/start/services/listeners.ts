import { Counter, type Registry } from 'prom-client'

import { onGroupInserted } from '../../accounts/groups/store.js'
import { type EngineEvents, onEngineEvents } from '../../ci/engine/engine-events.js'
import type { EngineNotifications } from '../../ci/engine/engine-notifications.js'
import { afterCommit } from '../../database/transaction.js'
import { onPlannedChanged } from '../../hosting/planned-changes.js'
import { onProjectInserted } from '../../hosting/projects/store.js'
import { noticePipelines } from '../../integrations/mail/pipeline-mails.js'
import { storePipelineEvents } from '../../integrations/webhooks/outbox/store-pipeline-events.js'
import type { Changes } from '../../live/changes.js'
import { followPipelines } from '../../planning/merge-requests/merge/after-pipelines.js'
import { onTodosChanged } from '../../planning/stores/todo-store.js'
import { Leftovers } from './leftovers.js'
import { measureDispatch } from './queue-metrics.js'
import type { Services } from './services.js'

/** Connects the services: what follows when the engine, projects or to-do items change. */
export function addListeners(services: Services): void {
  const { database, live } = services
  const { notifications } = services.engine
  const leftovers = leftoversOf(services)
  onProjectInserted(database, (id) => leftovers.ofProject(id))
  onGroupInserted(database, (id) => leftovers.ofGroup(id))
  onTodosChanged(database, (userIds) => live.changed({ todosOf: [...userIds] }))
  onPlannedChanged(database, (changed) => live.changed(changed))
  followTransactions(services)
  notifications.on('jobStarted', (job) => leftovers.ofJob(job))
  followJobs(services, notifications)
  wakeWorkers(services, notifications)
}

function leftoversOf(services: Services): Leftovers {
  const { settings, traces, repositories, wikiRepositories, groupWikiRepositories, logger } = services
  const { sharedDir } = settings
  const ofProjects = [repositories, wikiRepositories]
  return new Leftovers({ sharedDir, traces, repositories: ofProjects, groupWikiRepositories, logger })
}

/** What belongs to the transaction of a change, or follows its commit. */
function followTransactions({ database, chatReplies, live, spanExporter }: Services): void {
  onEngineEvents(database, async (tx, events) => {
    await storePipelineEvents(tx, events)
    await followPipelines(tx, events)
    await noticePipelines(tx, events)
    await chatReplies.notice(tx, events)
    afterCommit(tx, () => {
      live.changed(changesOf(events))
      spanExporter?.changed(events.pipelines)
    })
  })
}

function followJobs(services: Services, notifications: EngineNotifications): void {
  const { waits, reportingJobs, traceIndexes, live, watches, metrics } = services
  notifications.on('jobStarted', (job, runner) => waits.record(job, runner))
  notifications.on('jobStarted', (job) => reportingJobs.onStarted(job))
  measureDispatch(metrics, notifications)
  countFinishedJobs(metrics, notifications)
  notifications.on('jobFinished', (job) => traceIndexes.buildLater(job))
  notifications.on('runnerConcerned', (jobId) => watches.notify(jobId))
  notifications.on('traceGrown', (job, isBegin) => live.grown(job, isBegin))
}

function wakeWorkers(services: Services, notifications: EngineNotifications): void {
  const { schedule, environments, resources, bridges, sites } = services
  notifications.on('jobScheduled', (at) => schedule.schedule(at))
  notifications.on('environmentStopScheduled', (at) => environments.schedule(at))
  notifications.on('jobFinished', ({ status, options }) => {
    if (status === 'success' && options.pages) sites.schedule(Date.now())
  })
  notifications.on('resourceFreed', () => resources.schedule(Date.now()))
  notifications.on('bridgeTasksAdded', () => bridges.wake())
}

/** The changes of a transaction that streams publish. */
function changesOf({ jobs, pipelines, others, deletedPipelines }: EngineEvents): Changes {
  return {
    jobs: [...jobs.flatMap(({ ids }) => ids), ...others.jobs],
    pipelines: [...pipelines.map(({ id }) => id), ...others.pipelines],
    deletedPipelines,
  }
}

function countFinishedJobs(registry: Registry, notifications: EngineNotifications): void {
  const finished = new Counter({
    name: 'switchyard_jobs_finished_total',
    help: 'Jobs that ended, by status',
    labelNames: ['status'],
    registers: [registry],
  })
  notifications.on('jobFinished', ({ status }) => finished.inc({ status }))
}
