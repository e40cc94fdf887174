import type { DockerExecutorSettings } from '../settings.js'
import type { EngineCapabilities } from './capabilities.js'

/** What was found by trying it at the engine. Undefined if it could not be tried. */
export interface EngineProbes {
  /** Whether a container can have an init process. */
  init: boolean | undefined
  /** Whether a network can be created for a job. The message of the engine if it cannot. */
  network: true | string
  /** Whether jobs mount folders of this machine, and why. */
  files: { isShared: boolean; reason: string } | undefined
  /** Why jobs reach the metadata addresses of the machine of the engine. Undefined if they are blocked. */
  metadata: string | undefined
  /** Whether the engine runs on this machine. */
  isLocal: boolean
}

/** Something that jobs need of an engine. `no` costs them something, or `text` names a remedy. */
export interface Ability {
  name: string
  holds: 'yes' | 'no' | 'unknown'
  text: string
}

/** A setting of the registration that the engine cannot do. An `error` lacks what the setting is for. */
export interface SettingCost {
  setting: string
  level: 'error' | 'warning'
  text: string
}

/** What an engine can do for jobs, in the order of the table in the documentation. */
export function abilitiesOf(engine: EngineCapabilities, probes: EngineProbes): Ability[] {
  return [
    initAbility(probes.init),
    logAbility(engine),
    storageAbility(engine),
    memoryAbility(engine),
    processAbility(engine),
    networkAbility(engine, probes.network),
    readinessAbility(engine, probes),
    fileAbility(probes.files),
    diskAbility(probes),
    metadataAbility(probes.metadata),
  ]
}

function initAbility(init: boolean | undefined): Ability {
  const name = 'init process'
  if (init === undefined) return { name, holds: 'unknown', text: 'the engine has no image to try it with' }
  return init
    ? { name, holds: 'yes', text: 'processes that scripts leave behind are reaped' }
    : {
        name,
        holds: 'no',
        text: 'jobs run without it: install docker-init or catatonit on the machine of the engine',
      }
}

function logAbility({ logDrivers }: EngineCapabilities): Ability {
  const name = 'log driver'
  if (logDrivers.includes('local')) return { name, holds: 'yes', text: 'local' }
  return { name, holds: 'yes', text: `json-file, in place of local (known: ${logDrivers.join(', ')})` }
}

function storageAbility({ storageDriver }: EngineCapabilities): Ability {
  const name = 'storage driver'
  if (storageDriver !== 'vfs') return { name, holds: 'yes', text: storageDriver }
  return { name, holds: 'no', text: 'vfs copies the whole image for each container: configure overlay' }
}

function memoryAbility({ limits }: EngineCapabilities): Ability {
  const name = 'memory limits'
  if (!limits.memory) return { name, holds: 'no', text: `a job may take all memory: ${WHY_NO_LIMITS}` }
  return limits.swap
    ? { name, holds: 'yes', text: 'memory and swap' }
    : { name, holds: 'yes', text: 'memory, but not swap' }
}

function processAbility({ limits }: EngineCapabilities): Ability {
  const name = 'process limits'
  return limits.processes
    ? { name, holds: 'yes', text: 'a fork bomb ends at the limit' }
    : { name, holds: 'no', text: `a fork bomb takes all processes of the engine's user: ${WHY_NO_LIMITS}` }
}

const WHY_NO_LIMITS = 'an engine without root needs control groups of version 2, delegated to its user'

function networkAbility({ resolvesNames }: EngineCapabilities, network: true | string): Ability {
  const name = 'network for each job'
  if (network !== true) return { name, holds: 'no', text: `jobs with services fail: ${network}` }
  return resolvesNames
    ? { name, holds: 'yes', text: 'with names of services' }
    : {
        name,
        holds: 'no',
        text: 'jobs find services by name, but services do not find each other: use the network backend netavark',
      }
}

function readinessAbility({ isRootless }: EngineCapabilities, { isLocal }: EngineProbes): Ability {
  const text =
    isRootless || !isLocal
      ? 'checked from a container, because this machine does not reach them'
      : 'checked from here'
  return { name: 'readiness of services', holds: 'yes', text }
}

function fileAbility(files: EngineProbes['files']): Ability {
  const name = 'file sharing'
  if (files === undefined) return { name, holds: 'unknown', text: 'the engine has no image to try it with' }
  return files.isShared
    ? { name, holds: 'yes', text: `jobs mount folders of this machine: ${files.reason}` }
    : {
        name,
        holds: 'no',
        text: `files are copied into a volume for each job, and the engine keeps the output: ${files.reason}`,
      }
}

function diskAbility({ isLocal }: EngineProbes): Ability {
  const name = 'free disk space'
  return isLocal
    ? { name, holds: 'yes', text: 'measured: no jobs are taken below `floor`' }
    : {
        name,
        holds: 'no',
        text: 'jobs are taken although the disk of the other machine is full, and fail: have it clean itself',
      }
}

function metadataAbility(problem: string | undefined): Ability {
  const name = 'block of metadata addresses'
  return problem === undefined
    ? { name, holds: 'yes', text: 'jobs do not reach 169.254.0.0/16' }
    : { name, holds: 'no', text: `jobs reach 169.254.0.0/16: ${problem}` }
}

/** What the settings of a registration cost at the engine, or cannot do there. */
export function settingCosts(engine: EngineCapabilities, settings: DockerExecutorSettings): SettingCost[] {
  return [...limitCosts(engine, settings), ...userCosts(engine, settings)]
}

function limitCosts({ limits }: EngineCapabilities, settings: DockerExecutorSettings): SettingCost[] {
  const groups = [
    {
      holds: limits.memory,
      names: {
        memory: settings.memory,
        memory_swap: settings.memorySwap,
        memory_reservation: settings.memoryReservation,
        service_memory: settings.serviceMemory,
        service_memory_swap: settings.serviceMemorySwap,
        service_memory_reservation: settings.serviceMemoryReservation,
      },
    },
    { holds: limits.processes, names: { pids_limit: settings.pidsLimit } },
    { holds: limits.cpus, names: { cpus: settings.cpus, service_cpus: settings.serviceCpus } },
    {
      holds: limits.cpuset,
      names: { cpuset_cpus: settings.cpusetCpus, service_cpuset_cpus: settings.serviceCpusetCpus },
    },
  ]
  return groups
    .filter(({ holds }) => !holds)
    .flatMap(({ names }) => Object.entries(names))
    .filter(([, value]) => value !== undefined && value !== '' && value !== 0)
    .map(([setting]) => ({ setting, level: 'error', text: `has no effect: ${WHY_NO_LIMITS}` }))
}

function userCosts(
  { isRootless, mapsUsers }: EngineCapabilities,
  settings: DockerExecutorSettings,
): SettingCost[] {
  const costs = [
    {
      applies: mapsUsers && settings.workspace === 'bind',
      setting: 'workspace',
      text: '"bind" works for a runner of the user of the engine and images of root: use "auto" or "volume"',
    },
    {
      applies: isRootless && settings.privileged === true,
      setting: 'privileged',
      text: 'gives no more rights than the user of the engine has',
    },
    {
      applies: isRootless && settings.networkMode === 'host',
      setting: 'network_mode',
      text: '"host" is the network of the user of the engine, without ports below 1024',
    },
    {
      applies: isRootless && (settings.devices?.length ?? 0) > 0,
      setting: 'devices',
      text: 'works for devices that the user of the engine may open',
    },
    {
      applies: mapsUsers && (settings.volumes ?? []).some(({ kind }) => kind === 'bind'),
      setting: 'volumes',
      text: 'folders of the machine have other owners in containers; root there is the user of the engine',
    },
  ]
  return costs
    .filter(({ applies }) => applies)
    .map(({ setting, text }) => ({ setting, level: 'warning', text }))
}
