import type { ContainerCreateOptions, HostConfig } from 'dockerode'

import type { Mount } from '../../workspace/workspace.js'
import { ExecutorError } from '../errors.js'
import type { ExecutorJob } from '../executor.js'
import { parseByteSize } from './byte-size.js'
import { buildContainerName, containerNamePrefix } from './container-name.js'
import { jobLabels } from './labels.js'
import { buildAliases, type BuildConnection, networkingOptions } from './network/connection.js'
import type { DockerExecutorSettings } from './settings.js'
import { SHELL_COMMAND } from './shell-command.js'

export interface ContainerPlan {
  job: ExecutorJob
  settings: DockerExecutorSettings
  /** Id of an image that the engine has. */
  imageId: string
  /** Whether the engine can run an init process as number 1. */
  withInit: boolean
  /** How the container reaches its services; as the settings say when absent. */
  connection?: BuildConnection | undefined
}

/** What the engine is asked to create for a job (runner protocol, 7.2 and 7.3). Throws for settings that are no values. */
export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { job, settings } = plan
  const prefix = containerNamePrefix(settings.runnerShortToken, job.projectId, job.concurrentProjectId)
  const name = buildContainerName(prefix)
  const { connection } = plan
  return {
    name,
    Hostname: prefix,
    Image: plan.imageId,
    Cmd: SHELL_COMMAND,
    Env: Object.entries({ ...job.environment, ...connection?.environment }).map(
      ([key, value]) => `${key}=${value}`,
    ),
    WorkingDir: job.workingDirectory,
    Labels: jobLabels(job, settings),
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Volumes: Object.fromEntries(volumePaths(settings).map((path) => [path, {}])),
    HostConfig: hostConfig(plan),
    ...networkingOptions(connection?.networkMode ?? null, buildAliases(connection, name)),
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

function hostConfig({ job, settings, withInit, connection }: ContainerPlan): HostConfig {
  const networkMode = connection ? connection.networkMode : settings.networkMode
  const privileged = settings.privileged ?? false
  return {
    Mounts: job.mounts.map(bindMount),
    Binds: (settings.volumes ?? []).filter((volume) => volume.includes(':')),
    Privileged: privileged,
    SecurityOpt: privileged ? [] : ['no-new-privileges'],
    RestartPolicy: { Name: 'no' },
    LogConfig: { Type: 'json-file', Config: {} },
    ExtraHosts: [...(settings.extraHosts ?? []), ...(connection?.hostEntries ?? [])],
    Dns: settings.dns ?? [],
    DnsSearch: settings.dnsSearch ?? [],
    ...(withInit ? { Init: true } : {}),
    ...(networkMode ? { NetworkMode: networkMode } : {}),
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

export function bindMount(mount: Mount) {
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
