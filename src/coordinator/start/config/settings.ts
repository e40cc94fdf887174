import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { parse } from 'smol-toml'

import { messageOf } from '../../../lib/errors.js'
import type { LogLevel } from '../../../lib/logger.js'
import { SECONDS_PER_DAY } from '../../../lib/time-units.js'
import { DEFAULT_PIPELINE_LIMITS, type PipelineLimits } from '../../ci/engine/pipeline-limits.js'
import type { OtlpSettings } from '../../ci/pipeline-traces/otlp-export.js'
import type { ProjectLimits } from '../../ci/pipelines/retention/list-due-of-projects.js'
import type { StorageLocation, StorageSettings } from '../../ci/storage/open-blob-store.js'
import type { DatabaseSettings } from '../../database/connect.js'
import type { FixedSettings } from '../../database/tables/application-settings.js'
import type { EgressSettings } from '../../egress/egress-client.js'
import { DEFAULT_GIT_SLOTS, type GitSemaphoreSettings } from '../../hosting/repositories/git-semaphore.js'
import { LOOPBACK } from '../../http/metrics-addresses.js'
import { DEFAULT_RATE_LIMITS, type RateLimitSettings } from '../../http/rate-limits/rate-limits.js'
import type { MailSettings } from '../../integrations/mail/smtp-transport.js'
import type { SignInSettings } from '../../sessions/providers/provider-settings.js'
import { fixedSettings } from './fixed-settings.js'
import {
  type ListenAddress,
  readAddresses,
  readCount,
  readDatabaseUrl,
  readExternalUrl,
  readFlag,
  readHostName,
  readListen,
  readLogLevel,
  readMailbox,
  readMailUrl,
  readText,
} from './readers.js'
import { SettingsError, SettingSources } from './setting-sources.js'
import { readSignIn } from './sign-in/read-sign-in.js'
import { readBackupBucket, readStorage } from './storage.js'
import { readTraceExport } from './trace-export.js'

export interface CoordinatorSettings {
  listen: ListenAddress
  /** Address of the SSH server; undefined = git is not served over SSH. */
  sshListen?: ListenAddress
  /** Port in SSH clone URLs; undefined = the one that the SSH server listens on. */
  sshExternalPort?: number
  /** The URL in clone URLs, links and jobs; undefined = derived from the listen address. */
  externalUrl?: string
  /** Origin of pages of artifacts; undefined = that of the coordinator. */
  artifactsUrl?: string
  /** Host name below which each namespace has one for its sites; undefined = none has. */
  pagesDomain?: string
  /** Absolute. What only this coordinator uses: temporary files, its settings, and the store unless it is PostgreSQL. */
  dataDir: string
  /**
   * Absolute. What all coordinators use: repositories, logs, unfinished uploads, keys, and blobs unless they are in a
   * bucket. By default the data folder.
   */
  sharedDir: string
  /** Absolute. Folder with templates of this instance, beside those of the installation. */
  templatesDir?: string
  database: DatabaseSettings
  /** Where blobs are: artifacts, caches, logs of finished jobs, uploads and other files. */
  storage: StorageSettings
  /** Bucket for backups. */
  backup: (StorageLocation & { kind: 's3' }) | undefined
  /** Silence after which a job is considered lost (architecture, decision 7). */
  lease: {
    firstContactSeconds: number
    seconds: number
    /** Silence after which another coordinator continues a long task. */
    taskSeconds: number
  }
  /** Maximum time to hold a job request without a job; 0 = do not hold. */
  longPollSeconds: number
  /** Whether people may open shells in held jobs. */
  areTerminalsEnabled: boolean
  shutdown: {
    /** How long new requests are still served after the coordinator was asked to stop. */
    drainSeconds: number
    /** Maximum time until connections that are still open are closed. */
    seconds: number
  }
  artifactsMaxBytes: number
  /** Default retention of artifacts; 0 = unlimited. */
  artifactsExpireSeconds: number
  caches: {
    /** Limit of one archive. */
    maxBytes: number
    /** Limit for all caches of one project. */
    projectMaxBytes: number
    /** Caches that were not used for so long are removed. */
    unusedSeconds: number
  }
  traceMaxBytes: number
  pipelines: PipelineLimits
  egress: EgressSettings
  rateLimits: RateLimitSettings
  /** Addresses and networks that may read `/metrics`. */
  metricsAddresses: readonly string[]
  /** Addresses and networks of trusted proxies; undefined = none. */
  trustedProxies?: string[]
  /**
   * Days between the deletion of a project and its removal, including projects that are already marked; 0 =
   * immediately.
   */
  deletionAdjournedPeriod: number
  /** Undefined = no mails are sent. */
  mail?: MailSettings
  /** Absolute. File with passwords that nobody may choose, beside the most common ones. */
  refusedPasswordsFile?: string
  /** Identity providers with which users sign in. */
  signIn: SignInSettings
  /** Collector of traces of pipelines; undefined = none are sent. */
  traceExport?: OtlpSettings
  /** Retention of audit events, in days; 0 = unlimited. */
  auditDays: number
  retention: RetentionSettings
  /** Bytes of a request that commits files. */
  commitsMaxBytes: number
  /** Maximum number of concurrent git processes for clients. */
  git: GitSemaphoreSettings
  logLevel: LogLevel
  /** Application settings that administrators cannot change, because the configuration gives them. */
  fixed: FixedSettings
}

export interface RetentionSettings extends ProjectLimits {
  activityDays: number
  /** Rate at which old pipelines and logs are deleted, in jobs. */
  jobsPerSecond: number
}

/** Separate from the settings, which may be logged. */
export interface CoordinatorSecrets {
  /** Token of the first administrator; a generated one is written to the data directory. */
  adminToken?: string
  /** Registers runners of the instance. */
  registrationToken?: string
}

const MEGABYTE = 1024 * 1024
const GIGABYTE = 1024 * MEGABYTE
/** Three years. */
const ACTIVITY_DAYS = 1095
const SETTINGS_FILE = 'coordinator.toml'

/**
 * Reads the settings from flags, the environment (`SWITCHYARD_…`) and the file, in this order of precedence.
 * The default file is `coordinator.toml` in the data directory, if it exists. Throws `SettingsError`.
 */
export function readCoordinatorSettings(
  flags: Record<string, string | undefined>,
  environment: Record<string, string | undefined>,
): CoordinatorSettings {
  const named = flags['config'] ?? environment['SWITCHYARD_CONFIG']
  const first = new SettingSources({ flags, environment, file: named ? readFile(named) : {} })
  const dataDir = resolve(first.read('data_dir', readText, 'switchyard-data'))
  const file = named ? readFile(named) : readFileIfThere(join(dataDir, SETTINGS_FILE))
  const sources = new SettingSources({ flags, environment, file })
  const settings = {
    ...readAll(sources, dataDir),
    storage: readStorage(sources, environment),
    backup: readBackupBucket(sources, environment),
    traceExport: readTraceExport(environment, sources),
  }
  refuseSharedHost(sources, settings)
  refuseSharedDomain(sources, settings)
  sources.finish()
  return { ...settings, fixed: fixedSettings(sources, settings) }
}

export function readCoordinatorSecrets(environment: Record<string, string | undefined>): CoordinatorSecrets {
  return {
    adminToken: environment['SWITCHYARD_ADMIN_TOKEN'] || undefined,
    registrationToken: environment['SWITCHYARD_REGISTRATION_TOKEN'] || undefined,
  }
}

/** The database, unless `database_url` names another one. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'switchyard.db')
}

function readAll(
  sources: SettingSources,
  dataDir: string,
): Omit<CoordinatorSettings, 'backup' | 'fixed' | 'storage'> {
  const sqlite: DatabaseSettings = { dialect: 'sqlite', file: sqliteFile(dataDir) }
  sources.read('data_dir', readText, undefined)
  return {
    listen: sources.read('listen', readListen, { host: '127.0.0.1', port: 8929 }),
    sshExternalPort: sources.read('ssh.external_port', readCount('port', 1), undefined),
    sshListen: sources.read('ssh.listen', readListen, undefined),
    externalUrl: sources.read('external_url', readExternalUrl, undefined),
    artifactsUrl: sources.read('web.artifacts_url', readExternalUrl, undefined),
    pagesDomain: sources.read('pages.domain', readHostName, undefined),
    dataDir,
    sharedDir: resolve(sources.read('shared_dir', readText, dataDir)),
    templatesDir: sources.read('templates_dir', (raw) => resolve(readText(raw)), undefined),
    database: sources.read('database_url', readDatabaseUrl, sqlite),
    lease: {
      firstContactSeconds: sources.read('lease.first_contact_seconds', readCount('seconds', 1), 60),
      seconds: sources.read('lease.seconds', readCount('seconds', 1), 300),
      taskSeconds: sources.read('lease.task_seconds', readCount('seconds', 1), 60),
    },
    longPollSeconds: sources.read('long_poll_seconds', readCount('seconds', 0), 50),
    areTerminalsEnabled: sources.read('terminals.enabled', readFlag, true),
    shutdown: {
      drainSeconds: sources.read('drain_seconds', readCount('seconds', 0), 2),
      seconds: sources.read('shutdown_seconds', readCount('seconds', 1), 30),
    },
    artifactsMaxBytes: sources.read('artifacts.max_bytes', readCount('bytes', 1), 100 * MEGABYTE),
    artifactsExpireSeconds: sources.read(
      'artifacts.expire_seconds',
      readCount('seconds', 0),
      30 * SECONDS_PER_DAY,
    ),
    caches: {
      maxBytes: sources.read('caches.max_bytes', readCount('bytes', 1), 5 * GIGABYTE),
      projectMaxBytes: sources.read('caches.project_max_bytes', readCount('bytes', 1), 20 * GIGABYTE),
      unusedSeconds: sources.read('caches.unused_seconds', readCount('seconds', 1), 14 * SECONDS_PER_DAY),
    },
    traceMaxBytes: sources.read('trace.max_bytes', readCount('bytes', 1), 100 * MEGABYTE),
    pipelines: readPipelineLimits(sources),
    egress: {
      allowLocalNetwork: sources.read('outbound.allow_local_network', readFlag, false),
    },
    rateLimits: readRateLimits(sources),
    metricsAddresses: sources.read('metrics.allowed_addresses', readAddresses, LOOPBACK),
    trustedProxies: sources.read('trusted_proxies', readAddresses, undefined),
    deletionAdjournedPeriod: sources.read('deletion_adjourned_period', readCount('days', 0), 0),
    mail: readMail(sources),
    refusedPasswordsFile: sources.read(
      'sign_in.refused_passwords_file',
      (raw) => resolve(readText(raw)),
      undefined,
    ),
    signIn: readSignIn(sources),
    auditDays: sources.read('audit.keep_days', readCount('days', 0), 365),
    retention: {
      pipelineDays: sources.read('retention.pipelines_max_days', readCount('days', 0), 0),
      pipelineCount: sources.read('retention.pipelines_max_count', readCount('pipelines', 0), 0),
      logDays: sources.read('retention.logs_max_days', readCount('days', 0), 0),
      storageBytes: sources.read('retention.storage_max_bytes', readCount('bytes', 0), 0),
      projectStorageBytes: sources.read('retention.project_storage_max_bytes', readCount('bytes', 0), 0),
      activityDays: sources.read('retention.activity_max_days', readCount('days', 1), ACTIVITY_DAYS),
      jobsPerSecond: sources.read('retention.jobs_per_second', readCount('jobs', 1), 100),
    },
    commitsMaxBytes: sources.read('commits.max_bytes', readCount('bytes', 1), 32 * MEGABYTE),
    git: {
      processes: sources.read('git.max_processes', readCount('processes', 1), DEFAULT_GIT_SLOTS.processes),
      perRepository: sources.read(
        'git.max_processes_per_repository',
        readCount('processes', 1),
        DEFAULT_GIT_SLOTS.perRepository,
      ),
    },
    logLevel: sources.read('log_level', readLogLevel, 'info'),
  }
}

/** A site could set cookies for the host above its own. */
function refuseSharedDomain(
  sources: SettingSources,
  {
    externalUrl,
    artifactsUrl,
    pagesDomain,
  }: Pick<CoordinatorSettings, 'externalUrl' | 'artifactsUrl' | 'pagesDomain'>,
): void {
  if (pagesDomain === undefined) return
  for (const [name, url] of [
    ['external_url', externalUrl],
    ['web.artifacts_url', artifactsUrl],
  ] as const) {
    const host = url === undefined ? undefined : new URL(url).hostname
    if (host === undefined || (!isBelow(host, pagesDomain) && !isBelow(pagesDomain, host))) continue
    sources.refuse(`pages.domain: must be a domain of its own, neither above nor below the host of ${name}`)
  }
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** Cookies belong to a host name, whatever the port. */
function refuseSharedHost(
  sources: SettingSources,
  { externalUrl, artifactsUrl }: Pick<CoordinatorSettings, 'externalUrl' | 'artifactsUrl'>,
): void {
  if (externalUrl === undefined || artifactsUrl === undefined) return
  if (new URL(externalUrl).hostname !== new URL(artifactsUrl).hostname) return
  sources.refuse('web.artifacts_url: must have a host name of its own, other than that of external_url')
}

function readMail(sources: SettingSources): MailSettings | undefined {
  const url = sources.read('mail.url', readMailUrl, undefined)
  const from = sources.read('mail.from', readMailbox, undefined)
  const replyTo = sources.read('mail.reply_to', readMailbox, undefined)?.address
  if (url !== undefined && from === undefined && !sources.has('mail.from')) {
    sources.refuse(
      'mail.from: is required with mail.url; the sender, such as Switchyard <switchyard@example.com>',
    )
  }
  return url === undefined || from === undefined ? undefined : { url, from, replyTo }
}

function readRateLimits(sources: SettingSources): RateLimitSettings {
  const { authenticated, unauthenticated, failedAuthentications, archives } = DEFAULT_RATE_LIMITS
  const requests = readCount('requests', 0)
  return {
    authenticated: sources.read('rate_limits.authenticated_per_minute', requests, authenticated),
    unauthenticated: sources.read('rate_limits.unauthenticated_per_minute', requests, unauthenticated),
    failedAuthentications: sources.read(
      'rate_limits.failed_authentications_per_minute',
      requests,
      failedAuthentications,
    ),
    archives: sources.read('rate_limits.archives_per_minute', requests, archives),
  }
}

function readPipelineLimits(sources: SettingSources): PipelineLimits {
  const { jobsPerPipeline, activeJobs, deploymentsPerPipeline, pipelinesPerMinute } = DEFAULT_PIPELINE_LIMITS
  const jobs = readCount('jobs', 0)
  return {
    jobsPerPipeline: sources.read('pipelines.max_jobs', jobs, jobsPerPipeline),
    activeJobs: sources.read('pipelines.max_active_jobs', jobs, activeJobs),
    deploymentsPerPipeline: sources.read('pipelines.max_deployments', jobs, deploymentsPerPipeline),
    pipelinesPerMinute: sources.read(
      'pipelines.max_per_minute',
      readCount('pipelines', 0),
      pipelinesPerMinute,
    ),
  }
}

function readFileIfThere(path: string): Record<string, unknown> {
  return existsSync(path) ? readFile(path) : {}
}

function readFile(path: string): Record<string, unknown> {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new SettingsError([`${path}: ${messageOf(error)}`])
  }
}
