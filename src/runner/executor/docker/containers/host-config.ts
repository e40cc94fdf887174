import type { HostConfig, MountSettings } from 'dockerode'

import type { Mount } from '../../../workspace/workspace.js'
import { imageOf, isMatchingImage } from '../images/image-name.js'
import type { DockerExecutorSettings } from '../settings.js'
import { binds, cacheMounts } from '../volumes/volume-plan.js'
import { capabilities } from './capabilities.js'
import type { ContainerPlan } from './container-options.js'
import { workspaceVolumeLabels } from './labels.js'
import { jobLogConfig } from './log-config.js'
import { resourceLimits } from './resource-limits.js'
import { securityOptions } from './security-option.js'
import { withoutAbsent } from './without-absent.js'

/** How the engine runs a job's container. What the settings do not say is left out, and is safe. */
export function hostConfig(plan: ContainerPlan): HostConfig {
  const { job, place, settings, withInit } = plan
  return {
    Mounts: [...place.mounts.map((mount) => workspaceMount(mount, plan)), ...cacheMounts(plan)],
    Binds: binds(plan),
    RestartPolicy: { Name: 'no' },
    LogConfig: jobLogConfig(settings.outputLimitBytes),
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

/** The network of another container comes with its names; the engine refuses any of our own. */
export function isInForeignNetwork(plan: Pick<ContainerPlan, 'settings' | 'connection'>): boolean {
  return networkModeOf(plan)?.startsWith('container:') ?? false
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
      // What the image has there is not for the job, as with a directory of the host.
      NoCopy: true,
      Labels: workspaceVolumeLabels(plan.job, plan.settings),
      DriverConfig: { Name: '', Options: {} },
    },
  }
}
