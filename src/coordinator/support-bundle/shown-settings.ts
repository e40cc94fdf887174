import type { StorageLocation } from '../ci/storage/open-blob-store.js'
import type { DatabaseSettings } from '../database/connect.js'
import { providerAddresses } from '../sessions/providers/provider-addresses.js'
import type { ProviderSettings } from '../sessions/providers/provider-settings.js'
import type { CoordinatorSettings } from '../start/config/settings.js'

/** The settings without secrets. Each is named here, so that a setting that is added later is not shown by itself. */
export function shownSettings(settings: CoordinatorSettings) {
  const { storage, backup, mail, signIn, traceExport } = settings
  return {
    listen: settings.listen,
    ssh: { listen: settings.sshListen, external_port: settings.sshExternalPort },
    external_url: settings.externalUrl && serverOf(settings.externalUrl),
    data_dir: settings.dataDir,
    shared_dir: settings.sharedDir,
    templates_dir: settings.templatesDir,
    database: shownDatabase(settings.database),
    storage: {
      ...shownLocation(storage.location),
      previous: storage.previous && shownLocation(storage.previous),
      direct: storage.isDirect,
    },
    backup: backup && shownLocation(backup),
    mail: mail && { server: serverOf(mail.url), from: mail.from.address, reply_to: mail.replyTo },
    sign_in: {
      auto_sign_in: signIn.isAutomatic,
      providers: signIn.providers.map(shownProvider),
    },
    trace_export: traceExport && serverOf(traceExport.url),
    lease: settings.lease,
    long_poll_seconds: settings.longPollSeconds,
    shutdown: settings.shutdown,
    artifacts: { max_bytes: settings.artifactsMaxBytes, expire_seconds: settings.artifactsExpireSeconds },
    caches: settings.caches,
    trace_max_bytes: settings.traceMaxBytes,
    pipelines: settings.pipelines,
    outbound: { allow_local_network: settings.egress.allowLocalNetwork },
    rate_limits: settings.rateLimits,
    metrics_addresses: settings.metricsAddresses,
    trusted_proxies: settings.trustedProxies,
    deletion_adjourned_period: settings.deletionAdjournedPeriod,
    audit_keep_days: settings.auditDays,
    retention: settings.retention,
    commits_max_bytes: settings.commitsMaxBytes,
    git: settings.git,
    log_level: settings.logLevel,
    fixed: Object.keys(settings.fixed),
  }
}

function shownProvider(provider: ProviderSettings) {
  const { kind, name } = provider
  return { kind, name, servers: providerAddresses(provider).map(serverOf) }
}

function shownDatabase(database: DatabaseSettings) {
  if (database.dialect === 'sqlite') return database
  return { dialect: database.dialect, server: serverOf(database.url), name: nameIn(database.url) }
}

function shownLocation(location: StorageLocation) {
  if (location.kind === 'folder') return { kind: location.kind }
  const { bucketName, serverAddress, bucketLocation, pathStyle } = location.bucket
  return {
    kind: location.kind,
    bucket: bucketName,
    prefix: location.prefix,
    server: serverAddress,
    region: bucketLocation,
    path_style: pathStyle,
  }
}

/** Protocol, host and port, without the user, the path and the query, in which there may be secrets. */
function serverOf(url: string): string {
  if (!URL.canParse(url)) return '(not a URL)'
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

function nameIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname.slice(1) : undefined
}
