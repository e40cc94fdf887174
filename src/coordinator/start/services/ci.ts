import { ScheduleTimer } from '../../background/schedule-timer.js'
import { startGrantedJobs } from '../../ci/engine/advance/resource-groups/start-granted-jobs.js'
import { startDueJobs } from '../../ci/engine/advance/start-due-jobs.js'
import { BridgeWorker } from '../../ci/engine/downstream/bridge-worker.js'
import type { EngineDeps } from '../../ci/engine/engine-deps.js'
import { EngineNotifications } from '../../ci/engine/engine-notifications.js'
import { stopDueEnvironments } from '../../ci/engine/environments/stop-due-environments.js'
import { variablesAfterJob } from '../../ci/jobs/payload/variables-after-job.js'
import { ReportingJobs } from '../../ci/jobs/trace/reporting-jobs.js'
import { SpanExporter } from '../../ci/pipeline-traces/span-exporter.js'
import { Removals } from '../../ci/pipelines/retention/removals.js'
import type { OnRetired } from '../../ci/pipelines/retention/retired.js'
import { JobQueue } from '../../ci/queue/job-queue.js'
import { WaitCounts } from '../../ci/queue/wait-statistics/wait-counts.js'
import { runDueSchedules } from '../../ci/schedules/run-due-schedules.js'
import { JobWatches } from '../../ci/signals/job-watches.js'
import { TraceReaders } from '../../ci/signals/trace-readers.js'
import { type PublishDeps, publishSites } from '../../ci/sites/publish-sites.js'
import { reportSite } from '../../ci/sites/report-site.js'
import { TerminalRelay } from '../../ci/terminals/relay.js'
import { markEnded } from '../../ci/terminals/store.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { API_VERSION, REVISION } from '../../http/version.js'
import type { Foundation } from './foundation.js'
import { createOutsideSources } from './outside-sources.js'
import { registerQueueMetrics } from './queue-metrics.js'
import type { RepositoryServices } from './repositories.js'
import { registerDueMetrics, retentionMetrics } from './retention-metrics.js'
import type { StorageServices } from './storage.js'

/** The engine of pipelines, and what runs beside it. */
export interface CiServices {
  engine: EngineDeps
  /** Starts delayed jobs that are due. */
  schedule: ScheduleTimer
  /** Starts jobs with a granted resource that could not be started immediately. */
  resources: ScheduleTimer
  /** Performs the tasks that pipelines leave for one another. */
  bridges: BridgeWorker
  /** Stops environments whose stop time has passed. */
  environments: ScheduleTimer
  /** Publishes the sites of jobs that have ended, and deletes those that have expired. */
  sites: ScheduleTimer
  publishSites: () => Promise<undefined>
  /** Runs pipeline schedules that are due. */
  pipelineSchedule: ScheduleTimer
  /** Requests of runners that wait for the end of their job. */
  watches: JobWatches
  /** Jobs whose runners have called lately. */
  reportingJobs: ReportingJobs
  traceReaders: TraceReaders
  /** Sends pipelines to a collector of OpenTelemetry; undefined without one. */
  spanExporter: SpanExporter | undefined
  terminals: TerminalRelay
  waits: WaitCounts
  /** Counts what has been deleted because of its age, number or size. */
  onRetired: OnRetired
  /** These counts, as long as they are not in the store yet. */
  removals: Removals
}

const MEGABYTE = 1024 * 1024

type Sources = Foundation & RepositoryServices & StorageServices

export function createCiServices(sources: Sources): CiServices {
  const { database, logger, metrics, traces } = sources
  registerQueueMetrics(metrics, database, logger)
  registerDueMetrics(metrics, database, logger)
  const watches = createWatches(sources)
  const engine = createEngine(sources)
  const reportingJobs = new ReportingJobs({ engine, traces })
  watches.listen(reportingJobs)
  const removals = new Removals(database, logger)
  const countRetired = retentionMetrics(metrics)
  const timer = (of: string, startDue: () => Promise<number | undefined>) =>
    new ScheduleTimer({ of, startDue, logger })
  const publish = () => publishSites(siteDeps(sources, engine))
  return {
    engine,
    schedule: timer('Delayed jobs', () => startDueJobs(engine)),
    resources: timer('Jobs that wait for a resource', () => startGrantedJobs(engine)),
    bridges: new BridgeWorker(engine),
    environments: timer('Environments to stop', () => stopDueEnvironments(engine)),
    sites: timer('Sites', publish),
    publishSites: publish,
    pipelineSchedule: timer('Pipeline schedules', () => runDueSchedules(engine)),
    watches,
    reportingJobs,
    traceReaders: new TraceReaders((jobId) => watches.receive([jobId])),
    spanExporter: createSpanExporter(sources),
    terminals: createTerminals(sources),
    waits: new WaitCounts(database, logger),
    onRetired: (retired) => {
      countRetired(retired)
      removals.record(retired)
    },
    removals,
  }
}

function createEngine(sources: Sources): EngineDeps {
  const { settings, database, secrets, repositories, artifacts, traces, tokens, logger } = sources
  const engine: EngineDeps = {
    database,
    dialect: settings.database.dialect,
    queue: createQueue(sources),
    lease: settings.lease,
    secrets,
    repositories,
    logger,
    server: {
      externalUrl: sources.externalUrl,
      version: API_VERSION,
      revision: REVISION,
      sites: sources.siteOrigins,
    },
    limits: settings.pipelines,
    outside: createOutsideSources(database, sources.remoteFiles, sources.templates),
    artifacts,
    traces,
    notifications: new EngineNotifications(),
    jobVariables: (job) => variablesAfterJob({ ...engine, artifacts, tokens }, job),
  }
  return engine
}

function siteDeps(
  { database, blobs, artifacts, logger, siteOrigins }: Sources,
  engine: EngineDeps,
): PublishDeps {
  return {
    database,
    blobs,
    artifacts,
    logger,
    variablesOf: engine.jobVariables,
    report: (job, outcome) => reportSite(engine, siteOrigins, job, outcome),
    maxBytes: async () => {
      const { max_pages_size: megabytes } = await effectiveSettings(database, 'max_pages_size')
      return megabytes * MEGABYTE
    },
  }
}

function createQueue({ settings, database, logger, channel }: Foundation): JobQueue {
  const { dialect } = settings.database
  const notifyOthers = channel && ((jobIds: number[]) => channel.notify(jobIds))
  const queue = new JobQueue({ database, dialect, logger, ...(notifyOthers && { notifyOthers }) })
  channel?.on('jobs', (jobIds) => queue.receive(jobIds))
  channel?.on('listening', () => queue.wakeAll())
  return queue
}

function createWatches({ logger, channel }: Foundation): JobWatches {
  const notifyOthers = channel && ((jobIds: number[]) => channel.notifyRunners(jobIds))
  const watches = new JobWatches({
    ...(notifyOthers && { notifyOthers }),
    onLost: (error) => logger.warn({ err: error }, 'The runner of a job that must end is notified late'),
  })
  channel?.on('runnersConcerned', (jobIds) => watches.receive(jobIds))
  channel?.on('listening', () => watches.wakeAll())
  return watches
}

function createTerminals({ database, channel, logger }: Foundation): TerminalRelay {
  const relay = new TerminalRelay({
    send: channel && ((news) => channel.notifyTerminal(news)),
    onEnd: (id) =>
      void markEnded(database, id, Date.now()).catch((error: unknown) =>
        logger.warn({ err: error }, 'The end of a terminal was not recorded'),
      ),
    logger,
  })
  channel?.on('terminal', (news) => relay.receive(news))
  return relay
}

function createSpanExporter(sources: Sources): SpanExporter | undefined {
  const { database, externalUrl, traceIndexes, logger } = sources
  const { traceExport } = sources.settings
  if (!traceExport) return undefined
  return new SpanExporter({
    database,
    traceIndexes,
    externalUrl,
    open: async () => (await import('../../ci/pipeline-traces/otlp-export.js')).otlpExport(traceExport),
    logger,
  })
}
