import type { Option } from 'commander'

import type { RunnerAccessLevel } from '../../../protocol/runner-registration.js'
import { booleanOption, configOption, listOption, numberOption, textOption } from './options.js'

export interface RegisterOptions {
  config: string
  nonInteractive?: boolean
  leaveRunner?: boolean
  url?: string
  token?: string
  registrationToken?: string
  name?: string
  description?: string
  executor?: string
  tlsCaFile?: string
  tlsCertFile?: string
  tlsKeyFile?: string
  tagList?: string
  runUntagged?: boolean
  locked?: boolean
  accessLevel?: RunnerAccessLevel
  maximumTimeout?: number
  paused?: boolean
  maintenanceNote?: string
  limit?: number
  outputLimit?: number
  requestConcurrency?: number
  cloneUrl?: string
  env?: string[]
  preBuildScript?: string
  postBuildScript?: string
  dockerHost?: string
  dockerImage?: string
  dockerPullPolicy?: string[]
  dockerAllowedPullPolicies?: string[]
  dockerAllowedImages?: string[]
  dockerDisableEntrypointOverwrite?: boolean
  dockerPrivileged?: boolean
  dockerUser?: string
  dockerVolumes?: string[]
  dockerMemory?: string
  dockerCpus?: string
  dockerShmSize?: number
  dockerNetworkMode?: string
  dockerExtraHosts?: string[]
  dockerDns?: string[]
  dockerDnsSearch?: string[]
}

/** Flags and environment variables of registration (runner protocol, 9.6). */
export function registerOptions(): Option[] {
  return [configOption(), ...commandFlags(), ...serverFlags(), ...entryFlags(), ...dockerFlags()]
}

function commandFlags(): Option[] {
  return [
    booleanOption('-n, --non-interactive', 'ask nothing', 'REGISTER_NON_INTERACTIVE'),
    booleanOption('--leave-runner', 'keep the runner when writing fails', 'REGISTER_LEAVE_RUNNER'),
  ]
}

/** What the coordinator keeps; only with a registration token. */
function serverFlags(): Option[] {
  return [
    textOption('-r, --registration-token <token>', 'token that allows to register', 'REGISTRATION_TOKEN'),
    textOption('--tag-list <tags>', 'tags, with commas', 'RUNNER_TAG_LIST'),
    booleanOption('--run-untagged', 'also run jobs without tags', 'REGISTER_RUN_UNTAGGED'),
    booleanOption('--locked', 'stay with the first project (default: true)', 'REGISTER_LOCKED'),
    textOption('--access-level <level>', 'which refs to run jobs for', 'REGISTER_ACCESS_LEVEL').choices([
      'not_protected',
      'ref_protected',
    ]),
    numberOption('--maximum-timeout <seconds>', 'longest job', 'REGISTER_MAXIMUM_TIMEOUT'),
    booleanOption('--paused', 'begin without taking jobs', 'REGISTER_PAUSED'),
    textOption('--maintenance-note <text>', 'note for administrators', 'REGISTER_MAINTENANCE_NOTE'),
  ]
}

function entryFlags(): Option[] {
  return [
    textOption('-u, --url <url>', 'address of the coordinator', 'CI_SERVER_URL'),
    textOption('-t, --token <token>', 'token of a runner that exists', 'CI_SERVER_TOKEN'),
    textOption('--name <name>', 'name of the runner (default: host name)', 'RUNNER_NAME'),
    textOption('--description <name>', 'the same as --name', 'REGISTER_DESCRIPTION'),
    textOption('--executor <executor>', 'docker', 'RUNNER_EXECUTOR'),
    textOption('--tls-ca-file <file>', 'authority of the coordinator', 'CI_SERVER_TLS_CA_FILE'),
    textOption('--tls-cert-file <file>', 'certificate to show', 'CI_SERVER_TLS_CERT_FILE'),
    textOption('--tls-key-file <file>', 'key of that certificate', 'CI_SERVER_TLS_KEY_FILE'),
    numberOption('--limit <jobs>', 'jobs at a time, 0 for no limit', 'RUNNER_LIMIT'),
    numberOption('--output-limit <kib>', 'log of a job in KiB', 'RUNNER_OUTPUT_LIMIT'),
    numberOption('--request-concurrency <n>', 'open requests', 'RUNNER_REQUEST_CONCURRENCY'),
    textOption('--clone-url <url>', 'where to fetch repositories from', 'CLONE_URL'),
    listOption('--env <KEY=value>', 'variable for jobs', 'RUNNER_ENV'),
    textOption('--pre-build-script <script>', 'before the script of a job', 'RUNNER_PRE_BUILD_SCRIPT'),
    textOption('--post-build-script <script>', 'after the script of a job', 'RUNNER_POST_BUILD_SCRIPT'),
  ]
}

function dockerFlags(): Option[] {
  return [
    textOption('--docker-host <address>', 'address of the engine', 'DOCKER_HOST'),
    textOption('--docker-image <image>', 'for jobs that name none', 'DOCKER_IMAGE'),
    listOption('--docker-pull-policy <policy>', 'always, if-not-present, never', 'DOCKER_PULL_POLICY'),
    listOption('--docker-allowed-pull-policies <policy>', 'for jobs', 'DOCKER_ALLOWED_PULL_POLICIES'),
    listOption('--docker-allowed-images <pattern>', 'for jobs', 'DOCKER_ALLOWED_IMAGES'),
    booleanOption('--docker-disable-entrypoint-overwrite', '', 'DOCKER_DISABLE_ENTRYPOINT_OVERWRITE'),
    booleanOption('--docker-privileged', 'privileged containers', 'DOCKER_PRIVILEGED'),
    textOption('--docker-user <user>', 'user of the container', 'DOCKER_USER'),
    listOption('--docker-volumes <volume>', 'host:container[:mode]', 'DOCKER_VOLUMES'),
    textOption('--docker-memory <size>', 'for example 512m', 'DOCKER_MEMORY'),
    textOption('--docker-cpus <number>', 'for example 1.5', 'DOCKER_CPUS'),
    numberOption('--docker-shm-size <bytes>', 'shared memory', 'DOCKER_SHM_SIZE'),
    textOption('--docker-network-mode <mode>', 'network of the container', 'DOCKER_NETWORK_MODE'),
    listOption('--docker-extra-hosts <name:address>', 'more host names', 'DOCKER_EXTRA_HOSTS'),
    listOption('--docker-dns <address>', 'name servers', 'DOCKER_DNS'),
    listOption('--docker-dns-search <domain>', 'search domains', 'DOCKER_DNS_SEARCH'),
  ]
}
