import type { Registry } from 'prom-client'

import type { Logger } from '../../../lib/logger.js'
import { Deletions } from '../../background/deletions.js'
import { TaskRuns } from '../../background/task-runs.js'
import { WakeChannel } from '../../ci/signals/wake-channel.js'
import type { SiteOrigins } from '../../ci/site-addresses/site-origins.js'
import { openSecretBox, type SecretBox } from '../../crypto/secret-box.js'
import { TokenSigner } from '../../crypto/token-signer.js'
import { connectDatabase, type Database } from '../../database/connect.js'
import { measureDatabase } from '../../database/timings.js'
import { EgressClient } from '../../egress/egress-client.js'
import { RemoteFiles } from '../../egress/remote-files.js'
import { createMetrics } from '../../http/metrics.js'
import type { CoordinatorSettings } from '../config/settings.js'
import { InstanceSettings } from './instance-settings.js'
import { databaseMetrics } from './store-metrics.js'

/** What every wing needs. */
export interface Foundation {
  settings: CoordinatorSettings
  instanceSettings: InstanceSettings
  logger: Logger
  /** The URL that clients use, without a trailing slash. */
  externalUrl: string
  siteOrigins: SiteOrigins
  database: Database
  secrets: SecretBox
  /** Signs the id tokens with which jobs authenticate to other services. */
  tokens: TokenSigner
  metrics: Registry
  /** News between coordinators on one PostgreSQL; undefined on SQLite. */
  channel: WakeChannel | undefined
  /** Sends requests to addresses that users configure. */
  egress: EgressClient
  /** Sends requests of system hooks, which administrators set. */
  systemEgress: EgressClient
  /** Files that CI files include from the network. */
  remoteFiles: RemoteFiles
  deletions: Deletions
  /** The last run of each periodic task. */
  taskRuns: TaskRuns
}

/** `open` is a database of the dialect that the settings name; without one, it is connected. */
export async function createFoundation(
  settings: CoordinatorSettings,
  logger: Logger,
  externalUrl: string,
  open: Database | undefined,
): Promise<Foundation> {
  const secrets = await openSecretBox(settings.sharedDir)
  const database = open ?? connectDatabase(settings.database)
  const metrics = createMetrics()
  measureDatabase(database, databaseMetrics(metrics))
  const instanceSettings = new InstanceSettings(database, settings, logger)
  const channel = createChannel(settings, database, logger)
  channel?.on('settingsChanged', () => instanceSettings.loadLater())
  channel?.on('listening', () => instanceSettings.loadLater())
  const egress = new EgressClient(instanceSettings)
  return {
    settings,
    instanceSettings,
    logger,
    externalUrl,
    siteOrigins: {
      artifactsUrl: settings.artifactsUrl ?? externalUrl,
      pagesUrl: pagesUrl(settings.pagesDomain, externalUrl),
    },
    database,
    secrets,
    tokens: new TokenSigner({ database, secrets, externalUrl }),
    metrics,
    channel,
    egress,
    systemEgress: new EgressClient(instanceSettings.systemHooks),
    remoteFiles: new RemoteFiles(egress),
    deletions: new Deletions(logger),
    taskRuns: new TaskRuns(),
  }
}

function createChannel(
  settings: CoordinatorSettings,
  database: Database,
  logger: Logger,
): WakeChannel | undefined {
  return settings.database.dialect === 'sqlite'
    ? undefined
    : new WakeChannel({ url: settings.database.url, database, logger })
}

/** Sites are served by the same proxy as the coordinator, with its scheme and port. */
function pagesUrl(domain: string | undefined, externalUrl: string): string | undefined {
  if (domain === undefined) return undefined
  const url = new URL(externalUrl)
  url.hostname = domain
  return url.origin
}
