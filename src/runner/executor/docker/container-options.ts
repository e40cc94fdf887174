import type { ContainerCreateOptions, HostConfig } from 'dockerode'

import type { Mount } from '../../workspace/workspace.js'
import { ExecutorError } from '../errors.js'
import type { ContainerPlace, ExecutorJob } from '../executor.js'
import { parseByteSize } from './byte-size.js'
import { buildContainerName, containerNamePrefix } from './container-name.js'
import { jobLabels } from './labels.js'
import type { DockerExecutorSettings } from './settings.js'
import { shellCommand } from './shell-command.js'

export interface ContainerPlan {
  job: ExecutorJob
  place: ContainerPlace
  settings: DockerExecutorSettings
  /** Id of an image that the engine has. */
  imageId: string
  /** Whether the engine can run an init process as number 1. */
  withInit: boolean
}

/** What the engine is asked to create for a job (runner protocol, 7.2 and 7.3). Throws for settings that are no values. */
export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { job, place, settings } = plan
  const prefix = containerNamePrefix(settings.runnerShortToken, job.projectId, job.concurrentProjectId)
  return {
    name: buildContainerName(prefix),
    Hostname: prefix,
    Image: plan.imageId,
    Cmd: shellCommand(place.scriptPath),
    Env: Object.entries(place.environment).map(([key, value]) => `${key}=${value}`),
    WorkingDir: place.workingDirectory,
    Labels: jobLabels(job, settings),
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Volumes: Object.fromEntries(volumePaths(settings).map((path) => [path, {}])),
    HostConfig: hostConfig(plan),
    ...entrypointOf(plan),
    ...userOf(plan),
  }
}

/** Whether the job asks for an entrypoint that the settings forbid. */
export function isEntrypointRefused(plan: Pick<ContainerPlan, 'job' | 'settings'>): boolean {
  return Boolean(plan.job.image?.entrypoint?.length && plan.settings.disableEntrypointOverwrite)
}

function entrypointOf(plan: ContainerPlan): Pick<ContainerCreateOptions, 'Entrypoint'> {
  const entrypoint = plan.job.image?.entrypoint
  return entrypoint?.length && !isEntrypointRefused(plan) ? { Entrypoint: entrypoint } : {}
}

/** The settings' user, else the job's, else the image's (runner protocol, 7.7). */
function userOf({ job, settings }: ContainerPlan): Pick<ContainerCreateOptions, 'User'> {
  const user = settings.user ?? userOption(job.image?.executor_opts?.['docker'])
  return user === undefined || user === '' ? {} : { User: user }
}

function userOption(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || !('user' in options)) return undefined
  const { user } = options
  return typeof user === 'string' || typeof user === 'number' ? String(user) : undefined
}

/**
 * A job's output stays with the engine until the container is removed, byte for byte: a file that never rotates.
 * (`json-file` is slower and replaces bytes that are not UTF-8.)
 */
const UNBOUNDED_LOG = {
  Type: 'local',
  Config: { 'max-size': '1000t', 'max-file': '1', compress: 'false' },
}

function hostConfig({ place, settings, withInit }: ContainerPlan): HostConfig {
  const privileged = settings.privileged ?? false
  return {
    Mounts: place.mounts.map(bindMount),
    Binds: (settings.volumes ?? []).filter((volume) => volume.includes(':')),
    Privileged: privileged,
    SecurityOpt: privileged ? [] : ['no-new-privileges'],
    RestartPolicy: { Name: 'no' },
    LogConfig: UNBOUNDED_LOG,
    ExtraHosts: settings.extraHosts ?? [],
    Dns: settings.dns ?? [],
    DnsSearch: settings.dnsSearch ?? [],
    ...(withInit ? { Init: true } : {}),
    ...(settings.networkMode ? { NetworkMode: settings.networkMode } : {}),
    ...limits(settings),
  }
}

function limits(settings: DockerExecutorSettings): HostConfig {
  return {
    ...(settings.memory ? { Memory: memoryBytes(settings.memory) } : {}),
    ...(settings.cpus ? { NanoCpus: nanoCpus(settings.cpus) } : {}),
    ...(settings.shmSize ? { ShmSize: settings.shmSize } : {}),
  }
}

function memoryBytes(memory: string): number {
  const bytes = parseByteSize(memory)
  if (bytes === undefined)
    throw configurationError(`"${memory}" is no amount of memory, write for example "512m"`)
  return bytes
}

function nanoCpus(cpus: string): number {
  const count = Number(cpus)
  if (!(count > 0)) throw configurationError(`"${cpus}" is no number of processors, write for example "1.5"`)
  return Math.round(count * 1e9)
}

function configurationError(message: string): ExecutorError {
  return new ExecutorError(message, 'runner_configuration_error')
}

function bindMount(mount: Mount) {
  return {
    Type: 'bind' as const,
    Source: mount.hostPath,
    Target: mount.containerPath,
    ReadOnly: mount.readOnly,
  }
}

/** Volumes without a host side go away with the container. */
function volumePaths(settings: DockerExecutorSettings): string[] {
  return (settings.volumes ?? []).filter((volume) => !volume.includes(':'))
}
