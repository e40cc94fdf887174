import type { ContainerCreateOptions, HealthConfig, HostConfig } from 'dockerode'

import { globMatcher } from '../../../../lib/glob.js'
import type { ExecutorJob } from '../../executor.js'
import { serviceLabels } from '../containers/labels.js'
import { pidsLimit, SERVICE_LOG_CONFIG, withoutAbsent } from '../containers/resource-limits.js'
import { capabilities, securityOptions } from '../containers/security-options.js'
import { networkingOptions, type NetworkPlan } from '../network/network-plan.js'
import type { DockerExecutorSettings } from '../settings.js'
import { binds, cacheMounts } from '../volumes/volume-plan.js'
import type { PlannedService } from './plan-services.js'
import type { ServiceSettings } from './settings.js'

interface ServicePlan {
  job: ExecutorJob
  settings: DockerExecutorSettings
  service: PlannedService
  network: NetworkPlan
  /** Id of an image that the engine has. */
  imageId: string
  /** Whether the image says how its health is checked. */
  hasHealthCheck: boolean
  /** Names of one job's containers begin alike. */
  namePrefix: string
}

/** What the engine is asked to create for a service (runner protocol, 7.2 and 7.8). */
export function serviceOptions(plan: ServicePlan): ContainerCreateOptions {
  const { request, aliases } = plan.service
  const mode = networkMode(plan.network)
  return {
    name: `${plan.namePrefix}-${containerSlug(plan.service)}`,
    Image: plan.imageId,
    Env: Object.entries(request.environment).map(([key, value]) => `${key}=${value}`),
    Labels: serviceLabels(plan.job, plan.settings, plan.service.name),
    HostConfig: hostConfig(plan, mode),
    ...networkingOptions(mode, hasNames(plan.network) ? aliases : []),
    ...(plan.hasHealthCheck ? healthCheck(plan.settings) : {}),
    ...(request.entrypoint?.length ? { Entrypoint: request.entrypoint } : {}),
    ...(request.command?.length ? { Cmd: request.command } : {}),
    ...(request.user ? { User: request.user } : {}),
    ...(request.platform ? { platform: request.platform } : {}),
  }
}

function hostConfig({ job, settings, service }: ServicePlan, mode: string): HostConfig {
  // Services begin before the job has a workspace: its place alone is known.
  const volumes = { job, settings, place: { workingDirectory: job.expand?.('$CI_PROJECT_DIR') || '/' } }
  return {
    Mounts: cacheMounts(volumes),
    Binds: binds(volumes),
    Privileged: service.isPrivileged,
    SecurityOpt: securityOptions(settings.servicesSecurityOpt ?? [], service.isPrivileged),
    RestartPolicy: { Name: 'no' },
    LogConfig: SERVICE_LOG_CONFIG,
    ...capabilities(settings, service.isPrivileged),
    ...namesFor(mode, settings),
    NetworkMode: mode,
    Tmpfs: settings.servicesTmpfs ?? {},
    ...withoutAbsent({
      ShmSize: settings.shmSize || undefined,
      PidsLimit: pidsLimit(settings),
      Runtime: settings.runtime,
      UsernsMode: settings.usernsMode,
    }),
    ...serviceLimits(settings, service.request.name),
  }
}

/** The network of another container comes with its names; the engine refuses any of our own. */
function namesFor(mode: string, { extraHosts = [], dns = [], dnsSearch = [] }: DockerExecutorSettings) {
  return mode.startsWith('container:') ? {} : { ExtraHosts: extraHosts, Dns: dns, DnsSearch: dnsSearch }
}

/** Its own network, made or named, is what a service is in whenever there are services. */
function networkMode(network: NetworkPlan): string {
  return network.kind === 'own' ? network.name : (network.mode ?? 'default')
}

function hasNames(network: NetworkPlan): boolean {
  return network.kind === 'own' || network.kind === 'named'
}

/** Characters that the engine takes; the index keeps two services of one image apart. */
function containerSlug({ name, index }: PlannedService): string {
  return `${name.service.replaceAll('/', '__').replace(/[^\w.-]/g, '')}-${index}`
}

const SECOND = 1e9

/**
 * Most images check every 30 seconds, the first time after as many: longer than services are waited for. Failures
 * while it is waited for count for nothing, so that more frequent checks do not find a slow start unhealthy. What is
 * left out stays as the image has it.
 */
function healthCheck(settings: DockerExecutorSettings): { Healthcheck?: HealthConfig } {
  const seconds = waitLimit(settings.waitForServicesSeconds)
  if (seconds === undefined) return {}
  return { Healthcheck: { Interval: 2 * SECOND, StartPeriod: seconds * SECOND } }
}

/** What a service may use of the machine (runner protocol, 9.4); what the settings do not say is the engine's choice. */
function serviceLimits(settings: ServiceSettings, image: string): HostConfig {
  const limits: HostConfig = {
    ...present('Memory', settings.serviceMemory),
    ...present('MemorySwap', settings.serviceMemorySwap),
    ...present('MemoryReservation', settings.serviceMemoryReservation),
    ...present('NanoCpus', Math.round((settings.serviceCpus ?? 0) * 1e9)),
    ...present('CpusetCpus', settings.serviceCpusetCpus),
    ...present('CpuShares', settings.serviceCpuShares),
    ...present('CgroupParent', settings.serviceCgroupParent),
    ...(settings.serviceGpus ? { DeviceRequests: [settings.serviceGpus] } : {}),
  }
  const devices = (settings.servicesDevices ?? []).filter(({ images }) => globMatcher(images)(image))
  return devices.length > 0 ? { ...limits, Devices: devices.flatMap((each) => each.devices) } : limits
}

function present(key: keyof HostConfig, value: string | number | undefined): HostConfig {
  return value === undefined || value === '' || value === 0 ? {} : { [key]: value }
}

const DEFAULT_SECONDS = 30

/** How long services are waited for, in seconds; undefined = not at all (runner protocol, 7.8). */
export function waitLimit(setting: number | undefined): number | undefined {
  if (setting !== undefined && setting < 0) return undefined
  return setting || DEFAULT_SECONDS
}
