import { arch, platform } from 'node:os'

import { VERSION } from '../../lib/version.js'
import type { ReportedHost, RunnerInfo } from '../../protocol/runner-info.js'

export const RUNNER_NAME = 'switchyard-runner'
export const RUNNER_VERSION = VERSION
export const RUNNER_REVISION = 'HEAD'

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', ia32: '386' }

/** Operating system and processor as the wire protocol names them: `linux/amd64`. */
export const RUNNER_PLATFORM = platform()
export const RUNNER_ARCHITECTURE = ARCHITECTURES[arch()] ?? arch()

/** Name, version, branch, language and platform, in the format that servers expect (runner protocol, 0). */
export const USER_AGENT = `${RUNNER_NAME} ${RUNNER_VERSION} (main; node${process.versions.node}; ${RUNNER_PLATFORM}/${RUNNER_ARCHITECTURE})`

/** The features that this runner supports. A missing key counts as false (runner protocol, 1.3). */
const FEATURES = {
  variables: true,
  image: true,
  services: true,
  service_variables: true,
  service_multiple_aliases: true,
  service_executor_opts: true,
  image_executor_opts: true,
  artifacts: true,
  upload_multiple_artifacts: true,
  upload_raw_artifacts: true,
  cache: true,
  fallback_cache_keys: true,
  refspecs: true,
  masking: true,
  raw_variables: true,
  artifacts_exclude: true,
  multi_build_steps: true,
  trace_reset: true,
  trace_checksum: true,
  trace_size: true,
  cancelable: true,
  cancel_gracefully: true,
  return_exit_code: true,
  vault_secrets: true,
  /** Only steps that are scripts are supported. Others fail the job with a remedy. */
  native_steps_integration: true,
}

interface ReportedSettings extends ReportedState {
  executor?: string | undefined
  labels?: Record<string, string> | undefined
}

/** What changes while the settings stay the same. */
export interface ReportedState {
  /** Maximum number of concurrent jobs. */
  concurrency?: number | undefined
  /** The machines that run the jobs. Absent if there is only one. */
  hosts?: ReportedHost[] | undefined
  /** Whether people may open shells in running jobs. */
  opensShells?: boolean | undefined
}

/**
 * The `info` field of register, verify, job request and job update. For register, the settings are not known yet.
 */
export function runnerInfo({
  executor,
  labels = {},
  concurrency,
  hosts,
  opensShells,
}: ReportedSettings = {}): RunnerInfo {
  return {
    name: RUNNER_NAME,
    version: RUNNER_VERSION,
    revision: RUNNER_REVISION,
    platform: RUNNER_PLATFORM,
    architecture: RUNNER_ARCHITECTURE,
    ...(executor === undefined ? {} : { executor, shell: 'bash' }),
    features: opensShells ? { ...FEATURES, job_terminals: true } : FEATURES,
    config: { gpus: '', ...(concurrency !== undefined && { concurrency }), ...(hosts && { hosts }) },
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  }
}

/** The part of a token that names, labels and logs may contain (runner protocol, 1.1). */
export function shortToken(token: string): string {
  const bare = token.replace(/^(?:glrt-(?:t[123]_)?|glrtr-|glcbt-|GR[0-9a-fA-F]{7})/, '')
  return bare.slice(0, 9)
}
