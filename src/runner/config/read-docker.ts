import { isIP } from 'node:net'

import { parseByteSize } from '../executor/docker/byte-size.js'
import { parseDevice, parseGpus } from '../executor/docker/containers/device-settings.js'
import { parseUlimit } from '../executor/docker/containers/resource-limits.js'
import { readSecurityOption } from '../executor/docker/containers/security-options.js'
import { refusedPullPolicies } from '../executor/docker/images/pull-policy.js'
import type { Ulimit } from '../executor/docker/settings.js'
import {
  type DeviceSettings,
  type ImageSettings,
  type NetworkSettings,
  PULL_POLICIES,
  type ResourceSettings,
  type SecuritySettings,
  type VolumeSettings,
} from '../executor/docker/settings.js'
import { parseVolume } from '../executor/docker/volumes/volume-entry.js'
import { readEngine } from './read-engine.js'
import { readServiceSettings } from './read-services.js'
import type { DockerSettings } from './settings.js'
import type { TableReader } from './table-reader.js'
import * as unsupported from './unsupported-keys.js'

const CPU_SET = /^\d+(-\d+)?(,\d+(-\d+)?)*$/
const MAC_ADDRESS = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i
const HOST_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/** Reads `[runners.docker]` (runner protocol, 9.4). Invalid values are recorded as problems. */
export function readDocker(entry: TableReader): DockerSettings {
  const reader = entry.subTable('docker')
  const settings: DockerSettings = {
    ...readEngine(reader),
    engineAwaySeconds: reader.integer('engine_away_timeout', 0),
    ...readImage(reader),
    ...readResources(reader),
    ...readDevices(reader),
    ...readSecurity(reader),
    ...readVolumes(reader),
    ...readNetwork(reader),
    ...readServiceSettings(reader),
    containerLabels: reader.stringMap('container_labels'),
  }
  warnOfRefusedDefaults(reader, settings)
  reader.ignore(unsupported.DOCKER)
  reader.reportUnknown()
  return settings
}

/** Jobs that ask for nothing else would fail, and could do nothing about it. */
function warnOfRefusedDefaults(reader: TableReader, settings: DockerSettings): void {
  const { refused, allowed } = refusedPullPolicies(settings)
  if (refused !== undefined) {
    const list = allowed.map((policy) => `"${policy}"`).join(', ')
    reader.warning(
      'allowed_pull_policies',
      `does not contain the pull policy of this runner, "${refused.join('", "')}" (pull_policy): jobs that name none fail; allowed: ${list}`,
    )
  }
  const { user, allowedUsers = [] } = settings
  if (user !== undefined && allowedUsers.length > 0 && !allowedUsers.includes(user)) {
    reader.warning('allowed_users', `does not contain "${user}" (user): all jobs fail`)
  }
}

function readImage(reader: TableReader): ImageSettings {
  return {
    image: reader.requiredString('image'),
    pullPolicy: reader.choices('pull_policy', PULL_POLICIES),
    allowedPullPolicies: reader.choices('allowed_pull_policies', PULL_POLICIES),
    allowedImages: reader.strings('allowed_images'),
    disableEntrypointOverwrite: reader.boolean('disable_entrypoint_overwrite'),
    user: reader.string('user') || undefined,
    allowedUsers: reader.strings('allowed_users'),
  }
}

function readResources(reader: TableReader): ResourceSettings {
  const size = 'a memory size such as 512m'
  return {
    memory: reader.parsed('memory', size, parseByteSize),
    memorySwap: reader.parsed('memory_swap', `${size}, or -1`, (text) =>
      text === '-1' ? -1 : parseByteSize(text),
    ),
    memoryReservation: reader.parsed('memory_reservation', size, parseByteSize),
    cpus: reader.parsed('cpus', 'a number of processors such as 1.5', positiveNumber),
    cpusetCpus: reader.parsed('cpuset_cpus', 'a set of processors such as 0-2,4', matching(CPU_SET)),
    cpusetMems: reader.parsed('cpuset_mems', 'a set of memory nodes such as 0-1', matching(CPU_SET)),
    cpuShares: reader.integer('cpu_shares', 0) || undefined,
    cgroupParent: reader.string('cgroup_parent') || undefined,
    oomKillDisable: reader.boolean('oom_kill_disable'),
    oomScoreAdjust: reader.integer('oom_score_adjust', -1000) || undefined,
    ulimit: readUlimits(reader),
    shmSize: reader.integer('shm_size', 0),
    pidsLimit: reader.integer('pids_limit', -1),
  }
}

function readUlimits(reader: TableReader): Ulimit[] | undefined {
  const limits = Object.entries(reader.stringMap('ulimit') ?? {}).map(([name, text]) => {
    const limit = parseUlimit(name, text)
    if (!limit) reader.problem(`ulimit.${name}`, `must be a limit such as 1024 or 1024:2048, not "${text}"`)
    return limit
  })
  return limits.length === 0 ? undefined : limits.filter((limit) => limit !== undefined)
}

function readDevices(reader: TableReader): DeviceSettings {
  return {
    gpus: reader.parsed('gpus', 'all, a number, or "device=0,1"', parseGpus),
    devices: reader.parsedList('devices', 'devices such as /dev/kvm:/dev/kvm:rwm', parseDevice),
    deviceCgroupRules: reader.parsedList(
      'device_cgroup_rules',
      'rules such as "c 1:3 mr"',
      matching(/^[acb] (\d+|\*):(\d+|\*) [rwm]{1,3}$/),
    ),
  }
}

function readSecurity(reader: TableReader): SecuritySettings {
  return {
    privileged: reader.boolean('privileged'),
    allowedPrivilegedImages: reader.strings('allowed_privileged_images'),
    capAdd: reader.strings('cap_add'),
    capDrop: reader.strings('cap_drop'),
    securityOpt: readSecurityOptions(reader),
    usernsMode: reader.string('userns_mode') || undefined,
    groupAdd: reader.strings('group_add'),
    runtime: reader.string('runtime') || undefined,
    isolation: reader.string('isolation') || undefined,
    sysctls: reader.stringMap('sysctls'),
    pidMode: reader.string('pid_mode') || undefined,
    ipcmode: reader.string('ipcmode') || undefined,
    init: reader.boolean('init') ?? true,
  }
}

function readSecurityOptions(reader: TableReader): string[] | undefined {
  return reader.strings('security_opt')?.flatMap((text) => {
    const read = readSecurityOption(text)
    if ('option' in read) return [read.option]
    reader.problem('security_opt', read.problem)
    return []
  })
}

function readVolumes(reader: TableReader): VolumeSettings {
  return {
    volumes: reader.parsedList(
      'volumes',
      'volumes such as /cache or /srv/data:/data:ro, none of them at "/"',
      parseVolume,
    ),
    volumesFrom: reader.strings('volumes_from'),
    volumeDriver: reader.string('volume_driver') || undefined,
    volumeDriverOps: reader.stringMap('volume_driver_ops'),
    volumeKeep: reader.boolean('volume_keep'),
    disableCache: reader.boolean('disable_cache'),
    cacheDir: reader.parsed('cache_dir', 'an absolute path', matching(/^\//)),
    tmpfs: reader.stringMap('tmpfs'),
  }
}

function readNetwork(reader: TableReader): NetworkSettings {
  return {
    networkMode: reader.string('network_mode') || undefined,
    hostname: reader.parsed('hostname', 'a host name', matching(HOST_NAME)),
    macAddress: reader.parsed(
      'mac_address',
      'a MAC address such as 92:d0:c6:0a:29:33',
      matching(MAC_ADDRESS),
    ),
    links: reader.strings('links'),
    extraHosts: reader.parsedList(
      'extra_hosts',
      'entries of the form name:address',
      matching(/^[^:\s]+:\S+$/),
    ),
    dns: reader.parsedList('dns', 'IP addresses', (text) => (isIP(text) === 0 ? undefined : text)),
    dnsSearch: reader.strings('dns_search'),
  }
}

function positiveNumber(text: string): number | undefined {
  return /^\d*\.?\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

function matching(form: RegExp): (text: string) => string | undefined {
  return (text) => (form.test(text) ? text : undefined)
}
