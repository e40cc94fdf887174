import type { Registry } from 'prom-client'

import type { Logger } from '../../lib/logger.js'
import type { Deletions } from '../background/deletions.js'
import type { ScheduleTimer } from '../background/schedule-timer.js'
import type { TaskRuns } from '../background/task-runs.js'
import type { BridgeWorker } from '../ci/engine/downstream/bridge-worker.js'
import type { EngineDeps } from '../ci/engine/engine-deps.js'
import type { ReportingJobs } from '../ci/jobs/trace/reporting-jobs.js'
import type { TraceSender } from '../ci/pipeline-traces/trace-sender.js'
import type { Removals } from '../ci/pipelines/retention/removals.js'
import type { OnRetired } from '../ci/pipelines/retention/retired.js'
import type { WaitCounts } from '../ci/queue/waits/wait-counts.js'
import type { JobWatches } from '../ci/signals/job-watches.js'
import type { TraceReaders } from '../ci/signals/trace-readers.js'
import type { WakeChannel } from '../ci/signals/wake-channel.js'
import type { Artifacts } from '../ci/storage/artifacts/artifacts.js'
import type { BlobStore } from '../ci/storage/blob-store.js'
import type { Caches } from '../ci/storage/caches/caches.js'
import type { OrphanDeps } from '../ci/storage/orphans/delete-orphans.js'
import type { PartialUploads } from '../ci/storage/partial-uploads.js'
import type { StoredLogs } from '../ci/storage/stored-logs.js'
import type { TraceIndexes } from '../ci/storage/trace-indexes.js'
import type { Traces } from '../ci/storage/traces.js'
import type { SecretBox } from '../crypto/secret-box.js'
import type { TokenSigner } from '../crypto/token-signer.js'
import type { Database } from '../database/connect.js'
import type { EgressClient } from '../egress/egress-client.js'
import type { RemoteFiles } from '../egress/remote-files.js'
import type { Avatars } from '../hosting/avatars/avatars.js'
import type { MirrorWorker } from '../hosting/mirrors/mirror-worker.js'
import type { ExportWorker } from '../hosting/projects/export/export-worker.js'
import type { ImportWorker } from '../hosting/projects/import/import-worker.js'
import type { StatisticsWorker } from '../hosting/projects/statistics/statistics-worker.js'
import type { FetchCounts } from '../hosting/repositories/fetch-counts.js'
import type { Repositories } from '../hosting/repositories/repositories.js'
import type { Templates } from '../hosting/templates/templates.js'
import type { SignIns } from '../http/authentication/sign-ins.js'
import type { TokenUses } from '../http/authentication/token-uses.js'
import type { UploadSpool } from '../http/parameters/upload-spool.js'
import type { CoordinatorRecord } from '../instance/overview/coordinators.js'
import type { BuildWatcher } from '../integrations/services/builds/watch-builds.js'
import type { AttemptDeps } from '../integrations/webhooks/deliveries/attempt-delivery.js'
import type { DeliveryWorker } from '../integrations/webhooks/deliveries/delivery-worker.js'
import type { LiveHub } from '../live/live-hub.js'
import type { ChatReplies } from '../planning/chat-commands/replies.js'
import type { DeployedWorker } from '../planning/merge-requests/diffs/deployed-worker.js'
import type { RefreshWorker } from '../planning/merge-requests/refresh/refresh-worker.js'
import type { CoordinatorSettings } from './config/settings.js'
import type { InstanceSettings } from './instance-settings.js'
import type { MailWorkers } from './mail.js'

/** The services of a coordinator below its HTTP layer. */
export interface Services {
  settings: CoordinatorSettings
  instanceSettings: InstanceSettings
  logger: Logger
  database: Database
  secrets: SecretBox
  /** Signs the id tokens with which jobs authenticate to other services. */
  tokens: TokenSigner
  repositories: Repositories
  /** Repositories of snippets, by the IDs of these. */
  snippetRepositories: Repositories
  /** Repositories of wikis, by the IDs of their projects. */
  wikiRepositories: Repositories
  /** Templates for new files, and of `include: template`. */
  templates: Templates
  blobs: BlobStore
  /** Avatars of projects, groups and users. */
  avatars: Avatars
  artifacts: Artifacts
  caches: Caches
  uploads: PartialUploads
  /** Stores uploaded files while their requests run. */
  spool: UploadSpool
  traces: Traces
  /** Logs of finished jobs in the blob store. */
  storedLogs: StoredLogs
  traceIndexes: TraceIndexes
  engine: EngineDeps
  /** Starts delayed jobs that are due. */
  schedule: ScheduleTimer
  /** Starts jobs with a granted resource that could not be started immediately. */
  resources: ScheduleTimer
  /** Performs the tasks that pipelines leave for one another. */
  bridges: BridgeWorker
  /** Stops environments whose stop time has passed. */
  environments: ScheduleTimer
  /** Runs pipeline schedules that are due. */
  pipelineSchedule: ScheduleTimer
  /** Sends webhook events. */
  deliveries: AttemptDeps
  deliveryWorker: DeliveryWorker
  /** Asks CI servers for the state of builds. */
  builds: BuildWatcher
  /** Sends the results of commands to chats. */
  chatReplies: ChatReplies
  /** Undefined if no mails are sent. */
  mail: MailWorkers | undefined
  metrics: Registry
  /** Counts what has been deleted because of its age, number or size. */
  onRetired: OnRetired
  /** These counts, as long as they are not in the store yet. */
  removals: Removals
  deletions: Deletions
  /** Counts blobs that were deleted because no row names them. */
  onOrphanDeleted: OrphanDeps['onDeleted']
  /** Requests of runners that wait for the end of their job. */
  watches: JobWatches
  /** Jobs whose runners have called lately. */
  reportingJobs: ReportingJobs
  traceReaders: TraceReaders
  /** Sends pipelines to a collector of OpenTelemetry; undefined without one. */
  traceSender: TraceSender | undefined
  /** The open streams of changes. */
  live: LiveHub
  /** Says that this process runs. */
  coordinatorRecord: CoordinatorRecord
  /** The last run of each periodic task. */
  taskRuns: TaskRuns
  /** Last uses of tokens that are not written yet. */
  tokenUses: TokenUses
  signIns: SignIns
  /** Fetches of repositories that are not counted in the store yet. */
  fetchCounts: FetchCounts
  waits: WaitCounts
  /** Sends requests to addresses that users configure. */
  egress: EgressClient
  /** The same for system hooks, which administrators set. */
  systemEgress: EgressClient
  /** Files that CI files include from the network. */
  remoteFiles: RemoteFiles
  /** Updates the statistics of repositories after pushes. */
  statistics: StatisticsWorker
  /** Fills the repositories of forks and imports. */
  imports: ImportWorker
  /** Compares merge requests with their branches. */
  mergeRequestRefresh: RefreshWorker
  /** Stores which merge requests deployments have brought. */
  deployedMergeRequests: DeployedWorker
  /** Pushes to remote mirrors. */
  mirrors: MirrorWorker
  /** Makes archives of projects. */
  exports: ExportWorker
  /** News between coordinators on one PostgreSQL. */
  channel: WakeChannel | undefined
}
