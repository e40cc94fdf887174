import { isAbsolute, normalize } from 'node:path/posix'

import { parseAllowedHost } from '../../egress/egress-rules.js'
import { SettingsError } from '../client/errors.js'
import { SCRIPT_OUTPUTS, WORKSPACE_KINDS } from '../executor/docker/settings.js'
import { type ExecutorName, isExecutorName, listExecutors } from './executor-names.js'
import { fromEnvironment } from './from-environment.js'
import { readAutoscaler } from './read-autoscaler.js'
import { readCache } from './read-cache.js'
import { readDisk } from './read-disk.js'
import { readDockerHosts } from './read-docker-hosts.js'
import { readDocker } from './read-docker.js'
import { readEnvironment } from './read-environment.js'
import { readHold, readTerminal } from './read-hold.js'
import { readKubernetes } from './read-kubernetes.js'
import { readLabels } from './read-labels.js'
import { readListenAddress } from './read-listen-address.js'
import { readTokenLifetime } from './read-token-lifetime.js'
import {
  DEFAULTS,
  RUNNER_LOG_FORMATS,
  RUNNER_LOG_LEVELS,
  type RunnerRegistration,
  type RunnerSettings,
} from './settings.js'
import { type Findings, type Table, TableReader } from './table-reader.js'
import * as unsupported from './unsupported-keys.js'

export type FileSettings = Omit<RunnerSettings, 'systemId' | 'dataDir'> & { dataDir: string | undefined }

/**
 * Reads the settings from a parsed `config.toml` (runner protocol, 9.2 to 9.4). Throws `SettingsError` with all
 * problems. Keys without effect cause warnings.
 */
export function readSettings(
  table: Table,
  source: string,
  environment: NodeJS.ProcessEnv,
): { settings: FileSettings; warnings: string[] } {
  const findings: Findings = { problems: [], warnings: [] }
  const reader = new TableReader(table, '', findings)
  const global = readGlobal(reader)
  const labels = readLabels(reader)
  const registrations = reader
    .tables('runners')
    .flatMap((entry, index) =>
      isServed(entry, index, findings) ? [readEntry(entry, index, findings, environment)] : [],
    )
  const settings = {
    ...global,
    runners: registrations.map((registration) => ({
      ...registration,
      labels: { ...labels, ...registration.labels },
    })),
  }
  warnOfFewJobs(reader, settings)
  reader.ignore(unsupported.GLOBAL)
  reader.reportUnknown()
  if (findings.problems.length > 0) {
    throw new SettingsError(source, findings.problems, undefined, findings.warnings)
  }
  return { settings, warnings: findings.warnings }
}

/** `concurrent` is 1 by default, with which a single machine of several is used at a time. */
function warnOfFewJobs(
  reader: TableReader,
  { concurrent, runners }: Pick<FileSettings, 'concurrent' | 'runners'>,
): void {
  const hosts = runners.flatMap(({ dockerHosts = [] }) => dockerHosts)
  const room = hosts.reduce((sum, host) => sum + host.concurrent, 0)
  if (room > concurrent) {
    reader.warning(
      'concurrent',
      `is ${concurrent}, but the hosts in docker_hosts may run ${room} jobs at once`,
    )
  }
  for (const { autoscaler } of runners) {
    const most = autoscaler ? autoscaler.maxInstances * autoscaler.capacityPerInstance : 0
    if (most > concurrent && most < Infinity)
      reader.warning(
        'concurrent',
        `is ${concurrent}, but the machines of the autoscaler may run ${most} jobs at once`,
      )
  }
}

function readGlobal(reader: TableReader) {
  return {
    concurrent: reader.integer('concurrent', 1) ?? DEFAULTS.concurrent,
    checkIntervalSeconds: reader.integer('check_interval', 0) || DEFAULTS.checkIntervalSeconds,
    shutdownTimeoutSeconds: reader.integer('shutdown_timeout', 0) || DEFAULTS.shutdownTimeoutSeconds,
    logLevel: reader.choice('log_level', RUNNER_LOG_LEVELS) ?? 'info',
    logFormat: reader.choice('log_format', RUNNER_LOG_FORMATS) ?? 'runner',
    dataDir: reader.string('data_dir'),
    disk: readDisk(reader),
    hold: readHold(reader),
    areTerminalsEnabled: readTerminal(reader),
    blockMetadataAddresses: reader.boolean('block_metadata_addresses') ?? true,
    controlSocket: reader.string('control_socket') || undefined,
    listen: readListenAddress(reader),
  }
}

/** A file of several machines or runners may have registrations for executors that this runner does not have. */
function isServed({ executor, name }: Table, index: number, { warnings }: Findings): boolean {
  if (typeof executor !== 'string' || executor === '' || isExecutorName(executor)) return true
  const label = typeof name === 'string' && name !== '' ? ` ("${name}")` : ''
  warnings.push(
    `runners[${index}]${label} is not served: its executor is "${executor}"; this runner has ${listExecutors()}`,
  )
  return false
}

function readEntry(
  table: Table,
  index: number,
  findings: Findings,
  environment: NodeJS.ProcessEnv,
): RunnerRegistration {
  const reader = new TableReader(table, `runners[${index}]`, findings)
  const executorText = reader.requiredString('executor')
  const executor = isExecutorName(executorText) ? executorText : 'docker'
  const entry = {
    name: reader.string('name') ?? '',
    url: readUrl(reader, environment),
    token: fromEnvironment(reader.requiredString('token'), environment),
    ...readTransport(reader),
    ...readPolling(reader),
    ...readJobSettings(reader),
    artifact: readArtifact(reader),
    cache: readCache(reader, `runners[${index}]`, findings, environment),
    ...readTokenLifetime(reader),
    ...readSourceSettings(reader),
    executor,
    docker: readDockerTable(reader, executor),
    kubernetes: readKubernetes(reader, executor),
    dockerHosts: readDockerHosts(reader, executor),
    autoscaler: readAutoscaler(reader, executor),
    labels: readLabels(reader),
  }
  reader.accept(['id'])
  reader.ignore(unsupported.ENTRY)
  reader.reportUnknown()
  return entry
}

function readDockerTable(reader: TableReader, executor: ExecutorName): RunnerRegistration['docker'] {
  if (executor !== 'kubernetes') return readDocker(reader)
  if (!reader.subTable('docker').isEmpty) {
    reader.warning('docker', `has no effect with the executor "${executor}"`)
  }
  return undefined
}

function readUrl(reader: TableReader, environment: NodeJS.ProcessEnv): string {
  const url = fromEnvironment(reader.requiredString('url'), environment)
  if (url !== '' && !/^https?:\/\/[^/]/.test(url))
    reader.problem('url', 'must begin with http:// or https://')
  return url
}

function readTransport(reader: TableReader): Pick<RunnerRegistration, 'tls'> {
  const tls = {
    caFile: reader.string('tls-ca-file'),
    certFile: reader.string('tls-cert-file'),
    keyFile: reader.string('tls-key-file'),
  }
  return { tls: Object.fromEntries(Object.entries(tls).filter(([, file]) => file)) }
}

function readPolling(reader: TableReader) {
  return {
    limit: reader.integer('limit', 0) || undefined,
    requestConcurrency: reader.integer('request_concurrency', 0) || DEFAULTS.requestConcurrency,
    strictCheckInterval: reader.boolean('strict_check_interval') ?? false,
    unhealthyRequestsLimit: reader.integer('unhealthy_requests_limit', 0) || DEFAULTS.unhealthyRequestsLimit,
    unhealthyIntervalSeconds: reader.duration('unhealthy_interval') || DEFAULTS.unhealthyIntervalSeconds,
    finalUpdateTries: reader.integer('job_status_final_update_retry_limit', 0) || DEFAULTS.finalUpdateTries,
  }
}

function readJobSettings(reader: TableReader) {
  const outputLimit = reader.integer('output_limit', 0) || DEFAULTS.outputLimitKib
  return {
    outputLimitBytes: outputLimit * 1024,
    environment: readEnvironment(reader),
    cloneUrl: reader.string('clone_url') || undefined,
    preBuildScript: reader.string('pre_build_script') || undefined,
    postBuildScript: reader.string('post_build_script') || undefined,
    debugTraceDisabled: reader.boolean('debug_trace_disabled') ?? false,
    allowedLocalHosts:
      reader.parsedList(
        'allowed_local_hosts',
        'host names, IP addresses or networks such as 10.0.0.0/8',
        parseAllowedHost,
      ) ?? [],
    workspace: reader.choice('workspace', WORKSPACE_KINDS) ?? 'auto',
    scriptOutput: reader.choice('script_output', SCRIPT_OUTPUTS) ?? 'auto',
    prepareTimeoutSeconds: reader.duration('prepare_timeout') || DEFAULTS.prepareTimeoutSeconds,
  }
}

/**
 * The git configuration of a job's repository is always rewritten, and the repository is always trusted. So two of
 * the keys have no effect.
 */
function readSourceSettings(reader: TableReader) {
  reader.accept(['clean_git_config', 'safe_directory_checkout'])
  const customBuildDir = reader.subTable('custom_build_dir')
  const isClonePathAllowed = customBuildDir.boolean('enabled') ?? true
  customBuildDir.reportUnknown()
  const preCloneScript = reader.string('pre_clone_script')
  const postCloneScript = reader.string('post_clone_script')
  return {
    buildsDir: readBuildsDir(reader),
    isClonePathAllowed,
    getSourcesTimeoutSeconds: reader.duration('get_sources_timeout') || undefined,
    preGetSourcesScript: reader.string('pre_get_sources_script') || preCloneScript || undefined,
    postGetSourcesScript: reader.string('post_get_sources_script') || postCloneScript || undefined,
  }
}

function readBuildsDir(reader: TableReader): string | undefined {
  const directory = reader.string('builds_dir') || undefined
  if (directory !== undefined && (!isAbsolute(directory) || normalize(directory) === '/')) {
    reader.problem('builds_dir', 'must be an absolute path in the container, other than /')
  }
  return directory && normalize(directory).replace(/\/+$/, '')
}

function readArtifact(entry: TableReader): RunnerRegistration['artifact'] {
  const reader = entry.subTable('artifact')
  const timeouts = {
    uploadTimeoutSeconds: reader.duration('upload_timeout') || DEFAULTS.uploadTimeoutSeconds,
    responseHeaderTimeoutSeconds:
      reader.duration('response_header_timeout') || DEFAULTS.responseHeaderTimeoutSeconds,
  }
  reader.reportUnknown()
  return timeouts
}
