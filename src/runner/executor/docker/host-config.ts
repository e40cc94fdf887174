import type { HostConfig } from 'dockerode'

import type { Mount } from '../../workspace/workspace.js'
import type { ContainerPlan } from './container-options.js'
import { imageOf, isMatchingImage } from './image-name.js'
import { resourceLimits } from './resource-limits.js'
import { securityOptions } from './security-option.js'
import type { DockerExecutorSettings } from './settings.js'
import { binds, cacheMounts } from './volume-plan.js'
import { withoutAbsent } from './without-absent.js'

/** How the engine runs a job's container. What the settings do not say is left out, and is safe. */
export function hostConfig(plan: ContainerPlan): HostConfig {
  const { job, settings, withInit } = plan
  return {
    Mounts: [...job.mounts.map(bindMount), ...cacheMounts(job, settings)],
    Binds: binds(job, settings),
    RestartPolicy: { Name: 'no' },
    LogConfig: { Type: 'json-file', Config: settings.logOptions ?? {} },
    ...(withInit && settings.init !== false ? { Init: true } : {}),
    ...resourceLimits(settings),
    ...devices(settings),
    ...security(settings, isPrivileged(imageOf(job, settings), settings)),
    ...volumes(settings),
    ...network(plan),
  }
}

/** The setting is for the images that it names, and for all when it names none (runner protocol, 7.2). */
export function isPrivileged(
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
    CapAdd: settings.capAdd,
    CapDrop: settings.capDrop,
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

/** The network of another container comes with its names; the engine refuses any of our own. */
export function isInForeignNetwork(plan: Pick<ContainerPlan, 'settings' | 'connection'>): boolean {
  return networkModeOf(plan)?.startsWith('container:') ?? false
}

export function bindMount(mount: Mount) {
  return {
    Type: 'bind' as const,
    Source: mount.hostPath,
    Target: mount.containerPath,
    ReadOnly: mount.readOnly,
  }
}
