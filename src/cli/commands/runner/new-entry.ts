import type { RunnerCredentials } from '../../../protocol/runner-registration.js'
import type { Table } from '../../../runner/config/table-reader.js'
import type { RegisterOptions } from './register-options.js'

/** The `[[runners]]` table of a new registration, in the keys of the file; what was not given is left out. */
export function newEntry(
  options: RegisterOptions,
  name: string,
  credentials: RunnerCredentials,
  now: Date,
): Table {
  return withoutGaps({
    name,
    url: options.url,
    id: credentials.id,
    token: credentials.token,
    token_obtained_at: now,
    token_expires_at: credentials.token_expires_at ? new Date(credentials.token_expires_at) : undefined,
    'tls-ca-file': options.tlsCaFile,
    'tls-cert-file': options.tlsCertFile,
    'tls-key-file': options.tlsKeyFile,
    executor: options.executor,
    limit: options.limit,
    output_limit: options.outputLimit,
    request_concurrency: options.requestConcurrency,
    clone_url: options.cloneUrl,
    environment: options.env,
    pre_build_script: options.preBuildScript,
    post_build_script: options.postBuildScript,
    docker: dockerTable(options),
  })
}

function dockerTable(options: RegisterOptions): Table {
  return withoutGaps({
    host: options.dockerHost,
    image: options.dockerImage,
    pull_policy: oneOrMany(options.dockerPullPolicy),
    allowed_pull_policies: options.dockerAllowedPullPolicies,
    allowed_images: options.dockerAllowedImages,
    disable_entrypoint_overwrite: options.dockerDisableEntrypointOverwrite,
    privileged: options.dockerPrivileged ?? false,
    user: options.dockerUser,
    volumes: options.dockerVolumes,
    memory: options.dockerMemory,
    cpus: options.dockerCpus,
    shm_size: options.dockerShmSize,
    network_mode: options.dockerNetworkMode,
    extra_hosts: options.dockerExtraHosts,
    dns: options.dockerDns,
    dns_search: options.dockerDnsSearch,
  })
}

function oneOrMany(values: string[] | undefined): string | string[] | undefined {
  return values?.length === 1 ? values[0] : values
}

function withoutGaps(table: Record<string, unknown>): Table {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined))
}
