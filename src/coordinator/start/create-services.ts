import { join } from 'node:path'

import { Counter, type Registry } from 'prom-client'

import type { Logger } from '../../lib/logger.js'
import { VERSION } from '../../lib/version.js'
import { may } from '../access/access.js'
import type { Project, User } from '../access/caller.js'
import { createGroupDirectory } from '../accounts/groups/group-directory.js'
import { mailUnknownSignIn } from '../accounts/users/links/account-mails.js'
import { Deletions } from '../background/deletions.js'
import { ScheduleTimer } from '../background/schedule-timer.js'
import { TaskRuns } from '../background/task-runs.js'
import { setCommitStatus } from '../ci/commit-statuses/set-commit-status.js'
import { startGrantedJobs } from '../ci/engine/advance/resource-groups/start-granted-jobs.js'
import { startDueJobs } from '../ci/engine/advance/start-due-jobs.js'
import { BridgeWorker } from '../ci/engine/downstream/bridge-worker.js'
import type { EngineDeps } from '../ci/engine/engine-deps.js'
import { type EngineEvents, onEngineEvents } from '../ci/engine/engine-events.js'
import { stopDueEnvironments } from '../ci/engine/environments/stop-due-environments.js'
import type { OutsideSources } from '../ci/engine/outside-sources.js'
import { describeJobs } from '../ci/jobs/describe-jobs.js'
import { variablesAfterJob } from '../ci/jobs/payload/variables-after-job.js'
import { ReportingJobs } from '../ci/jobs/trace/reporting-jobs.js'
import { TraceSender } from '../ci/pipeline-traces/trace-sender.js'
import { Removals } from '../ci/pipelines/retention/removals.js'
import { JobQueue } from '../ci/queue/job-queue.js'
import { WaitCounts } from '../ci/queue/waits/wait-counts.js'
import { runDueSchedules } from '../ci/schedules/run-due-schedules.js'
import { JobWatches } from '../ci/signals/job-watches.js'
import { TraceReaders } from '../ci/signals/trace-readers.js'
import { WakeChannel, type WakeChannelDeps } from '../ci/signals/wake-channel.js'
import { Artifacts } from '../ci/storage/artifacts/artifacts.js'
import { Caches } from '../ci/storage/caches/caches.js'
import { openBlobStore } from '../ci/storage/open-blob-store.js'
import { PartialUploads } from '../ci/storage/partial-uploads.js'
import { StoredLogs } from '../ci/storage/stored-logs.js'
import { TraceWorkers } from '../ci/storage/trace-index/trace-workers.js'
import { TraceIndexes } from '../ci/storage/trace-indexes.js'
import { Traces } from '../ci/storage/traces.js'
import { openSecretBox } from '../crypto/secret-box.js'
import { TokenSigner } from '../crypto/token-signer.js'
import { connectDatabase, type Database } from '../database/connect.js'
import { effectiveSettings } from '../database/stores/application-setting-store.js'
import { measureDatabase } from '../database/timings.js'
import { afterCommit } from '../database/transaction.js'
import { EgressClient } from '../egress/egress-client.js'
import { RemoteFiles } from '../egress/remote-files.js'
import { Avatars } from '../hosting/avatars/avatars.js'
import { MirrorWorker } from '../hosting/mirrors/mirror-worker.js'
import { deleteProjectIf } from '../hosting/projects/deletion/delete-project.js'
import { ExportWorker } from '../hosting/projects/export/export-worker.js'
import { createProjectAccessReader, createProjectFinder } from '../hosting/projects/find-project.js'
import { ImportWorker } from '../hosting/projects/import/import-worker.js'
import { StatisticsWorker } from '../hosting/projects/statistics/statistics-worker.js'
import { onProjectInserted } from '../hosting/projects/store.js'
import { diffText } from '../hosting/repositories/browse/diff-text.js'
import { FetchCounts } from '../hosting/repositories/fetch-counts.js'
import { GitSemaphore } from '../hosting/repositories/git-semaphore.js'
import { pushedCommits } from '../hosting/repositories/push/pushed-commits.js'
import { Repositories } from '../hosting/repositories/repositories.js'
import { FolderTemplates, INSTALLED_TEMPLATES } from '../hosting/templates/folder-templates.js'
import { ProjectTemplates } from '../hosting/templates/project-templates.js'
import { includableTemplates, Templates } from '../hosting/templates/templates.js'
import { onTodosChanged } from '../hosting/todo-store.js'
import { wikiContent } from '../hosting/wikis/changed-pages.js'
import { importWiki } from '../hosting/wikis/import-wiki.js'
import { SignIns } from '../http/authentication/sign-ins.js'
import { TokenUses } from '../http/authentication/token-uses.js'
import { accessIn, codeLevelOf, levelOf } from '../http/handle-operation.js'
import { createMetrics } from '../http/metrics.js'
import { UploadSpool } from '../http/parameters/upload-spool.js'
import { API_VERSION, REVISION } from '../http/version.js'
import { CoordinatorRecord } from '../instance/overview/coordinators.js'
import { noticePipelines } from '../integrations/mail/pipeline-mails.js'
import { BuildWatcher } from '../integrations/services/builds/watch-builds.js'
import { integrationSendings } from '../integrations/services/sendings.js'
import type { AttemptDeps } from '../integrations/webhooks/deliveries/attempt-delivery.js'
import { countDeliveries } from '../integrations/webhooks/deliveries/count-deliveries.js'
import { DeliveryWorker } from '../integrations/webhooks/deliveries/delivery-worker.js'
import { storePipelineEvents } from '../integrations/webhooks/outbox/store-pipeline-events.js'
import type { PayloadDeps } from '../integrations/webhooks/payloads/payload-deps.js'
import { renderEvent } from '../integrations/webhooks/payloads/render-event.js'
import type { Changes } from '../live/changes.js'
import { LIVE_TIMES, LiveHub, type LiveTimes } from '../live/live-hub.js'
import { LiveMetrics } from '../live/live-metrics.js'
import { ChatReplies } from '../planning/chat-commands/replies.js'
import { DeployedWorker } from '../planning/merge-requests/diffs/deployed-worker.js'
import { mergeRequestState } from '../planning/merge-requests/hook-state.js'
import { followPipelines } from '../planning/merge-requests/merge/after-pipelines.js'
import { RefreshWorker } from '../planning/merge-requests/refresh/refresh-worker.js'
import { registerSessionMetrics } from '../sessions/session-metrics.js'
import { transferParts } from './archive-parts.js'
import type { CoordinatorSettings } from './config/settings.js'
import { InstanceSettings } from './instance-settings.js'
import { Leftovers } from './leftovers.js'
import { logFailureForOthers, logFailureForUser, outputForChat } from './log-excerpts.js'
import { createMailWorkers } from './mail.js'
import { mayInProject } from './may-in-project.js'
import { mergeRequestListeners } from './merge-request-listeners.js'
import { projectDeletion } from './project-deps.js'
import { dispatchMetrics, registerQueueMetrics } from './queue-metrics.js'
import { registerDueMetrics, retentionMetrics } from './retention-metrics.js'
import type { Services } from './services.js'
import { databaseMetrics, gitMetrics, orphanMetrics } from './store-metrics.js'

/** Minimum access level to read code (API, A15). */
const CODE_READER = 20

/** Services that exist already; without them, the settings say how they are made. */
export interface ServiceOverrides {
  /** Open, of the dialect that the settings name. */
  database?: Database
  repositories?: Repositories
  /** How long live streams and their parts last. */
  liveTimes?: Partial<LiveTimes>
}

/** `externalUrl` is the URL that clients use, without a trailing slash. */
export async function createServices(
  settings: CoordinatorSettings,
  logger: Logger,
  externalUrl: string,
  overrides: ServiceOverrides = {},
): Promise<Services> {
  const { dataDir, sharedDir, lease } = settings
  const { dialect } = settings.database
  const secrets = await openSecretBox(sharedDir)
  const database = overrides.database ?? connectDatabase(settings.database)
  onEngineEvents(database, async (tx, events) => {
    await storePipelineEvents(tx, events)
    await followPipelines(tx, events)
    await noticePipelines(tx, events)
    await chatReplies.notice(tx, events)
    afterCommit(tx, () => {
      live.changed(changesOf(events))
      traceSender?.changed(events.pipelines)
    })
  })
  const metrics = createMetrics()
  measureDatabase(database, databaseMetrics(metrics))
  registerQueueMetrics(metrics, database, logger)
  const slots = new GitSemaphore(settings.git, gitMetrics(metrics))
  const repositories = overrides.repositories ?? new Repositories(join(sharedDir, 'repositories'), slots)
  const snippetRepositories = new Repositories(join(sharedDir, 'snippets'), slots)
  const wikiRepositories = new Repositories(join(sharedDir, 'wikis'), slots)
  const templates = createTemplates({ settings, database, repositories })
  const blobs = await openBlobStore(settings, { isChecked: true })
  const instanceSettings = new InstanceSettings(database, settings, logger)
  const { queue, watches, channel } = createQueue(settings, database, logger, {
    onSettingsChanged: () => instanceSettings.loadLater(),
    onLive: (from, news) => live.receive(from, news),
    onListening: () => live.onListening(),
  })
  const countJob = countJobs(metrics)
  const waits = new WaitCounts(database, logger)
  const dispatch = dispatchMetrics(metrics)
  registerDueMetrics(metrics, database, logger)
  const removals = new Removals(database, logger)
  const countRetired = retentionMetrics(metrics)
  const egress = new EgressClient(instanceSettings)
  const systemEgress = new EgressClient(instanceSettings.systemHooks)
  const remoteFiles = new RemoteFiles(egress)
  const artifacts = new Artifacts(database, blobs, () => instanceSettings.artifactsMaxBytes())
  const storedLogs = new StoredLogs(database, blobs, join(dataDir, 'log-copies'))
  const traces = new Traces(
    join(sharedDir, 'traces'),
    settings.traceMaxBytes,
    {
      onTimeLost: ({ id }, error) =>
        logger.warn({ err: error, job: id }, 'Failed to record when a part of a log arrived'),
      onCloseFailed: (job, error) => logger.error({ err: error, job }, 'Failed to close the file of a log'),
    },
    storedLogs,
    sharedDir !== dataDir,
  )
  const leftovers = new Leftovers({
    sharedDir,
    traces,
    repositories: [repositories, wikiRepositories],
    logger,
  })
  onProjectInserted(database, (id) => leftovers.ofProject(id))
  const traceIndexes = new TraceIndexes({ traces, workers: new TraceWorkers(), logger })
  const { traceExport } = settings
  const traceSender = traceExport
    ? new TraceSender({
        database,
        traceIndexes,
        externalUrl,
        open: async () => (await import('../ci/pipeline-traces/otlp-export.js')).otlpExport(traceExport),
        logger,
      })
    : undefined
  const traceReaders = new TraceReaders((jobId) => watches.receive([jobId]))
  registerSessionMetrics(metrics, database, logger)
  const live = new LiveHub({
    times: { ...LIVE_TIMES, ...overrides.liveTimes },
    database,
    externalUrl,
    findProject: createProjectFinder(database),
    findGroup: (idOrPath) => createGroupDirectory(database).find(idOrPath),
    mayRead: (user, project) => mayInProject(database)('read_pipelines', user, project),
    describeJobs: (jobs) => describeJobs({ database, repositories, artifacts, externalUrl }, jobs),
    traces,
    traceReaders,
    metrics: new LiveMetrics(metrics),
    channel,
    logger,
  })
  onTodosChanged(database, (userIds) => live.changed({ todosOf: [...userIds] }))
  const tokens = new TokenSigner({ database, secrets, externalUrl })
  const engine: EngineDeps = {
    database,
    dialect,
    queue,
    lease,
    secrets,
    repositories,
    logger,
    onJobStarted: (job, runner) => {
      leftovers.ofJob(job)
      waits.record(job, runner)
      reportingJobs.onStarted(job)
      dispatch.onJobStarted(job, runner)
    },
    onJobAssigned: dispatch.onJobAssigned,
    onJobFinished: (job) => {
      countJob(job)
      traceIndexes.buildLater(job)
    },
    server: { externalUrl, version: API_VERSION, revision: REVISION },
    limits: settings.pipelines,
    outside: outsideSources(database, remoteFiles, templates),
    artifacts,
    traces,
    onRunnerConcerned: (jobId) => watches.notify(jobId),
    onScheduled: (at) => schedule.schedule(at),
    jobVariables: (job) => variablesAfterJob({ ...engine, artifacts, tokens }, job),
    onEnvironmentToStop: (at) => environments.schedule(at),
    onResourceFreed: () => resources.schedule(Date.now()),
    onBridgeTasks: () => bridges.wake(),
    onTraceGrown: (job, isBegin) => live.grown(job, isBegin),
  }
  const reportingJobs = new ReportingJobs({ engine, traces })
  watches.listen(reportingJobs)
  const statistics = new StatisticsWorker({ database, repositories, logger })
  const bridges = new BridgeWorker(engine)
  const environments = new ScheduleTimer({
    of: 'Environments to stop',
    startDue: () => stopDueEnvironments(engine),
    logger,
  })
  const resources = new ScheduleTimer({
    of: 'Jobs that wait for a resource',
    startDue: () => startGrantedJobs(engine),
    logger,
  })
  const schedule = new ScheduleTimer({
    of: 'Delayed jobs',
    startDue: () => startDueJobs(engine),
    logger,
  })
  const payloads: PayloadDeps = {
    database,
    secrets,
    repositories,
    externalUrl,
    wikiContent: (projectId, id) => wikiContent(wikiRepositories, projectId, id),
    mergeRequestState: (row) => mergeRequestState(database, row),
    pushedCommits: (projectId, range) =>
      repositories.withSlot(projectId, 'inner', () => pushedCommits(repositories.path(projectId), range)),
  }
  const builds = new BuildWatcher({
    database,
    secrets,
    egress,
    logger,
    report: (build) => setCommitStatus(engine, build),
  })
  const chatReplies = new ChatReplies({
    database,
    secrets,
    egress,
    externalUrl,
    output: outputForChat({ database, logger, traceIndexes }),
    logger,
  })
  const deliveries: AttemptDeps = {
    database,
    secrets,
    egress,
    systemEgress,
    sender: { externalUrl, version: VERSION },
    render: (event) => renderEvent(payloads, event),
    integrationSendings: (id, event) =>
      integrationSendings(
        {
          database,
          secrets,
          diffOf: (projectId, range) => diffText(repositories, projectId, range),
          logFailure: logFailureForOthers({ database, logger, traceIndexes }),
          onSent: (integration, event) => builds.watch(integration, event),
        },
        id,
        event,
      ),
    onAttempt: countDeliveries(metrics),
  }
  const avatars = new Avatars({ database, blobs })
  const transfer = {
    parts: transferParts({
      database,
      secrets,
      repositories,
      snippetRepositories,
      logger,
      engine,
      statistics,
      egress,
      systemEgress,
    }),
    workFolder: transferFolder(settings),
  }
  const services: Services = {
    settings,
    instanceSettings,
    logger,
    database,
    secrets,
    tokens,
    templates,
    repositories,
    snippetRepositories,
    wikiRepositories,
    blobs,
    avatars,
    artifacts,
    caches: new Caches(database, blobs, settings.caches),
    uploads: new PartialUploads(join(sharedDir, 'uploads')),
    spool: new UploadSpool(join(dataDir, 'spool')),
    traces,
    storedLogs,
    traceIndexes,
    engine,
    schedule,
    resources,
    bridges,
    environments,
    pipelineSchedule: pipelineScheduleTimer(engine),
    deliveries,
    builds,
    chatReplies,
    mail: createMailWorkers({
      settings,
      database,
      secrets,
      metrics,
      logger,
      externalUrl,
      logFailure: logFailureForUser({ database, logger, traceIndexes }),
    }),
    deliveryWorker: new DeliveryWorker({ ...deliveries, logger }),
    metrics,
    onRetired: (retired) => {
      countRetired(retired)
      removals.record(retired)
    },
    removals,
    deletions: new Deletions(logger),
    onOrphanDeleted: orphanMetrics(metrics),
    watches,
    reportingJobs,
    traceReaders,
    traceSender,
    live,
    coordinatorRecord: new CoordinatorRecord(database, logger, () => live.streamCount),
    taskRuns: new TaskRuns(),
    tokenUses: new TokenUses(database, logger),
    signIns: new SignIns(database, logger, { onUnknown: mailUnknownSignIn }),
    fetchCounts: new FetchCounts(database, logger),
    waits,
    egress,
    systemEgress,
    remoteFiles,
    channel,
    statistics,
    mergeRequestRefresh: new RefreshWorker({
      database,
      blobs,
      repositories,
      logger,
      listeners: mergeRequestListeners(engine, repositories),
    }),
    deployedMergeRequests: new DeployedWorker({ database, repositories, logger }),
    mirrors: new MirrorWorker({
      database,
      secrets,
      repositories,
      logger,
      addressOf: (url) => egress.addressOf(url),
    }),
    imports: new ImportWorker({
      database,
      secrets,
      repositories,
      wikiRepositories,
      addWiki: (projectId, fill) => importWiki({ database, wikiRepositories }, projectId, fill),
      blobs,
      avatars,
      logger,
      ...transfer,
      addressOf: (url) => egress.addressOf(url),
      onFilled: (projectId) => statistics.record(projectId),
      deleteProjectIf: (id, mayBeDeleted) =>
        deleteProjectIf({ database, ...projectDeletion(services) }, id, mayBeDeleted),
    }),
    exports: new ExportWorker({ database, repositories, wikiRepositories, blobs, logger, ...transfer }),
  }
  return services
}

/** Temporary files of running exports and imports of projects. */
export function transferFolder({ dataDir }: Pick<CoordinatorSettings, 'dataDir'>): string {
  return join(dataDir, 'transfers')
}

function pipelineScheduleTimer(engine: EngineDeps): ScheduleTimer {
  return new ScheduleTimer({
    of: 'Pipeline schedules',
    startDue: () => runDueSchedules(engine),
    logger: engine.logger,
  })
}

/** Templates of administrators have precedence over those of the installation. */
function createTemplates({
  settings: { templatesDir },
  database,
  repositories,
}: Pick<Services, 'settings' | 'database' | 'repositories'>): Templates {
  const findProject = createProjectFinder(database)
  const project = async () => {
    const { file_template_project_id: id } = await effectiveSettings(database, 'file_template_project_id')
    return id === null ? undefined : findProject(String(id))
  }
  return new Templates([
    new ProjectTemplates({ repositories, project }),
    ...(templatesDir === undefined ? [] : [new FolderTemplates(templatesDir)]),
    INSTALLED_TEMPLATES,
  ])
}

/** Sources of CI files outside their own repository. */
function outsideSources(database: Database, remoteFiles: RemoteFiles, templates: Templates): OutsideSources {
  const findProject = createProjectFinder(database)
  const projectAccessOf = createProjectAccessReader(database)
  const projectOfPath = async (fullPath: string): Promise<Project | undefined> =>
    // A number would be interpreted as an id.
    fullPath.includes('/') ? findProject(fullPath) : undefined
  const levelOfUser = (user: User | undefined, project: Project, within?: Database) =>
    levelOf({ projectAccessOf: within ? createProjectAccessReader(within) : projectAccessOf }, user, project)
  return {
    maxIncludes: async () => (await effectiveSettings(database, 'ci_max_includes')).ci_max_includes,
    findProject: projectOfPath,
    levelOf: levelOfUser,
    readableProject: async (user, fullPath) => {
      const project = await projectOfPath(fullPath)
      return project && (await codeLevelOf({ projectAccessOf }, user, project)) >= CODE_READER
        ? project
        : undefined
    },
    projectWithJobs,
    fetchRemote: (url, maxAgeSeconds) => remoteFiles.fetch(url, maxAgeSeconds),
    ...includableTemplates(templates),
  }
}

async function projectWithJobs(database: Database, user: User, fullPath: string) {
  const project = fullPath.includes('/') ? await createProjectFinder(database)(fullPath) : undefined
  if (!project) return undefined
  const projectAccess = await accessIn(
    { projectAccessOf: createProjectAccessReader(database) },
    user,
    project,
  )
  if (!may('read_pipelines', { project, ...projectAccess })) return undefined
  return { project, accessLevel: projectAccess.accessLevel }
}

function createQueue(
  settings: CoordinatorSettings,
  database: Database,
  logger: Logger,
  others: Pick<WakeChannelDeps, 'onSettingsChanged' | 'onLive' | 'onListening'>,
): { queue: JobQueue; watches: JobWatches; channel: WakeChannel | undefined } {
  const { dialect } = settings.database
  const onLost = (error: unknown) =>
    logger.warn({ err: error }, 'The runner of a job that must end is notified late')
  if (settings.database.dialect === 'sqlite') {
    const queue = new JobQueue({ database, dialect, logger })
    return { queue, watches: new JobWatches({ onLost }), channel: undefined }
  }
  const channel: WakeChannel = new WakeChannel({
    url: settings.database.url,
    database,
    logger,
    onJobs: (jobIds) => queue.receive(jobIds),
    onRunnersConcerned: (jobIds) => watches.receive(jobIds),
    ...others,
    onListening: () => {
      others.onSettingsChanged()
      others.onListening()
      queue.wakeAll()
      watches.wakeAll()
    },
  })
  const notifyOthers = (jobIds: number[]) => channel.notify(jobIds)
  const queue = new JobQueue({ database, dialect, logger, notifyOthers })
  const watches = new JobWatches({ notifyOthers: (jobIds) => channel.notifyRunners(jobIds), onLost })
  return { queue, watches, channel }
}

/** The changes of a transaction that streams publish. */
function changesOf({ jobs, pipelines, others, deletedPipelines }: EngineEvents): Changes {
  return {
    jobs: [...jobs.flatMap(({ ids }) => ids), ...others.jobs],
    pipelines: [...pipelines.map(({ id }) => id), ...others.pipelines],
    deletedPipelines,
  }
}

function countJobs(registry: Registry): NonNullable<EngineDeps['onJobFinished']> {
  const finished = new Counter({
    name: 'switchyard_jobs_finished_total',
    help: 'Jobs that ended, by status',
    labelNames: ['status'],
    registers: [registry],
  })
  return ({ status }) => finished.inc({ status })
}
