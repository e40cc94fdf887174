import type { ContainerCreateOptions, HostConfig, MountSettings } from 'dockerode'

import type { Mount } from '../../../workspace/job-files.js'
import { type ContainerWorkspace, type ExecutorJob, readExecutorOptions } from '../../executor.js'
import { OUTPUT_SCRIPT } from '../../output/output-script.js'
import type { BuildConnection } from '../environment-record.js'
import { imageOf, isMatchingImage } from '../images/image-name.js'
import { buildAliases, networkingOptions } from '../network/network-plan.js'
import type { DockerExecutorSettings } from '../settings.js'
import { shellCommand } from '../shell-command.js'
import { jobUser } from '../users/job-user.js'
import { binds, cacheMounts } from '../volumes/volume-plan.js'
import { buildContainerName, containerNamePrefix } from './container-name.js'
import { jobLabels, workspaceVolumeLabels } from './labels.js'
import { jobLogConfig, resourceLimits, withoutAbsent } from './resource-limits.js'
import { capabilities, securityOptions } from './security-options.js'

export interface ContainerPlan {
  job: ExecutorJob
  place: ContainerWorkspace
  /** Begins the marks in the output. */
  markToken: string
  settings: DockerExecutorSettings
  /** ID of an image that the engine has. */
  imageId: string
  /** Whether the engine can run an init process as process 1. */
  withInit: boolean
  /** Where the engine keeps output. Default: `local`. */
  logDriver?: 'local' | 'json-file'
  /** Name of the volume for mounts without a host directory. */
  workspaceVolume?: string | undefined
  /** How the container reaches its services. If absent, the settings decide. */
  connection?: BuildConnection | undefined
}

/**
 * The options for creating the container of a job (runner protocol, 7.2 and 7.3). Throws if the job requests
 * something that is not allowed.
 */
export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { job, place, settings, connection } = plan
  const prefix = containerNamePrefix(settings.runnerShortToken, job.projectId, job.concurrentProjectId)
  const name = buildContainerName(prefix)
  const outputScript = place.output && `${place.output.containerPath}/${OUTPUT_SCRIPT}`
  const environment = { ...place.environment, ...connection?.environment }
  return {
    name,
    ...(isInForeignNetwork(plan) ? {} : { Hostname: settings.hostname ?? prefix }),
    Image: plan.imageId,
    Cmd: shellCommand(place.scriptPath, plan.markToken, outputScript),
    Env: Object.entries(environment).map(([key, value]) => `${key}=${value}`),
    WorkingDir: place.workingDirectory,
    Labels: jobLabels(job, settings),
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    HostConfig: hostConfig(plan),
    ...networkingOptions(connection?.networkMode ?? null, buildAliases(connection, name)),
    ...withoutAbsent({
      platform: readExecutorOptions(job.image?.executor_opts, 'image').platform,
      MacAddress: settings.macAddress,
      User: jobUser(job, settings),
    }),
    ...entrypointOf(plan),
  }
}

/** Whether the job sets an entrypoint that the settings forbid. */
export function isEntrypointRefused(plan: Pick<ContainerPlan, 'job' | 'settings'>): boolean {
  return Boolean(plan.job.image?.entrypoint?.length && plan.settings.disableEntrypointOverwrite)
}

function entrypointOf(plan: ContainerPlan): Pick<ContainerCreateOptions, 'Entrypoint'> {
  const entrypoint = plan.job.image?.entrypoint
  return entrypoint?.length && !isEntrypointRefused(plan) ? { Entrypoint: entrypoint } : {}
}

/** How the engine runs the container of a job. Absent settings are omitted, which is the safe choice. */
function hostConfig(plan: ContainerPlan): HostConfig {
  const { job, place, settings, withInit } = plan
  return {
    Mounts: [...mountsOf(place).map((mount) => workspaceMount(mount, plan)), ...cacheMounts(plan)],
    Binds: binds(plan),
    RestartPolicy: { Name: 'no' },
    LogConfig: jobLogConfig(settings.outputLimitBytes, plan.logDriver),
    ...(withInit && settings.init !== false ? { Init: true } : {}),
    ...resourceLimits(settings),
    ...devices(settings),
    ...security(settings, isPrivileged(imageOf(job, settings), settings)),
    ...volumes(settings),
    ...network(plan),
  }
}

/**
 * `privileged` applies to the images that the settings name, or to all if they name none (runner protocol, 7.2).
 */
function isPrivileged(
  image: string,
  settings: Pick<DockerExecutorSettings, 'privileged' | 'allowedPrivilegedImages'>,
): boolean {
  const patterns = settings.allowedPrivilegedImages ?? []
  return settings.privileged === true && (patterns.length === 0 || isMatchingImage(image, patterns))
}

function devices(settings: DockerExecutorSettings): HostConfig {
  return withoutAbsent({
    Devices: settings.devices,
    DeviceRequests: settings.gpus && [settings.gpus],
    DeviceCgroupRules: settings.deviceCgroupRules,
  })
}

function security(settings: DockerExecutorSettings, privileged: boolean): HostConfig {
  return withoutAbsent({
    Privileged: privileged,
    SecurityOpt: securityOptions(settings.securityOpt ?? [], privileged),
    ...capabilities(settings, privileged),
    UsernsMode: settings.usernsMode,
    GroupAdd: settings.groupAdd,
    Runtime: settings.runtime,
    Isolation: settings.isolation,
    Sysctls: settings.sysctls,
    PidMode: settings.pidMode,
    IpcMode: settings.ipcmode,
  })
}

function volumes(settings: DockerExecutorSettings): HostConfig {
  return withoutAbsent({
    VolumesFrom: settings.volumesFrom,
    VolumeDriver: settings.volumeDriver,
    Tmpfs: settings.tmpfs,
  })
}

function network(plan: ContainerPlan): HostConfig {
  const { settings, connection } = plan
  const NetworkMode = networkModeOf(plan)
  if (isInForeignNetwork(plan)) return withoutAbsent({ NetworkMode })
  return withoutAbsent({
    NetworkMode,
    Links: settings.links,
    ExtraHosts: [...(settings.extraHosts ?? []), ...(connection?.hostEntries ?? [])],
    Dns: settings.dns ?? [],
    DnsSearch: settings.dnsSearch ?? [],
  })
}

function networkModeOf({ settings, connection }: Pick<ContainerPlan, 'settings' | 'connection'>) {
  return connection ? (connection.networkMode ?? undefined) : settings.networkMode
}

/** The network of another container brings its own names. The engine refuses additional ones. */
function isInForeignNetwork(plan: Pick<ContainerPlan, 'settings' | 'connection'>): boolean {
  return networkModeOf(plan)?.startsWith('container:') ?? false
}

function mountsOf({ mounts, output }: ContainerWorkspace): Mount[] {
  return output ? [...mounts, { ...output, readOnly: false }] : mounts
}

function workspaceMount({ hostPath, containerPath, readOnly }: Mount, plan: ContainerPlan): MountSettings {
  if (hostPath !== undefined) {
    return { Type: 'bind', Source: hostPath, Target: containerPath, ReadOnly: readOnly }
  }
  return {
    Type: 'volume',
    Source: plan.workspaceVolume ?? '',
    Target: containerPath,
    ReadOnly: readOnly,
    VolumeOptions: {
      // Files of the image at this path are hidden, as with a host directory.
      NoCopy: true,
      Labels: workspaceVolumeLabels(plan.job, plan.settings),
      DriverConfig: { Name: '', Options: {} },
    },
  }
}
