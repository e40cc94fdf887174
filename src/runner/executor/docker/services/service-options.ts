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
  /** ID of an image that the engine has. */
  imageId: string
  /** Whether the image defines a health check. */
  hasHealthCheck: boolean
  /** Common prefix of the names of one job's containers. */
  namePrefix: string
}

/** The options for creating the container of a service (runner protocol, 7.2 and 7.8). */
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
  // Services start before the job has a workspace, so only its path is known.
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

/** The network of another container brings its own names. The engine refuses additional ones. */
function namesFor(mode: string, { extraHosts = [], dns = [], dnsSearch = [] }: DockerExecutorSettings) {
  return mode.startsWith('container:') ? {} : { ExtraHosts: extraHosts, Dns: dns, DnsSearch: dnsSearch }
}

/** The network of the job is either created for it or named in the settings. */
function networkMode(network: NetworkPlan): string {
  return network.kind === 'own' ? network.name : (network.mode ?? 'default')
}

function hasNames(network: NetworkPlan): boolean {
  return network.kind === 'own' || network.kind === 'named'
}

/** Only characters that the engine allows. The index distinguishes two services with the same image. */
function containerSlug({ name, index }: PlannedService): string {
  return `${name.service.replaceAll('/', '__').replace(/[^\w.-]/g, '')}-${index}`
}

const SECOND = 1e9

/**
 * Most images check every 30 seconds, starting after 30 seconds. That is longer than the runner waits for services,
 * so the interval is shortened. Failures during the wait do not count, so that frequent checks do not mark a slow
 * start as unhealthy. Omitted values stay as in the image.
 */
function healthCheck(settings: DockerExecutorSettings): { Healthcheck?: HealthConfig } {
  const seconds = waitLimit(settings.waitForServicesSeconds)
  if (seconds === undefined) return {}
  return { Healthcheck: { Interval: 2 * SECOND, StartPeriod: seconds * SECOND } }
}

/** Resource limits of a service (runner protocol, 9.4). The engine's defaults apply to absent settings. */
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

/** How long to wait for services, in seconds. Undefined means not at all (runner protocol, 7.8). */
export function waitLimit(setting: number | undefined): number | undefined {
  if (setting !== undefined && setting < 0) return undefined
  return setting || DEFAULT_SECONDS
}
