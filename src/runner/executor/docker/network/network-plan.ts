import type { ContainerCreateOptions, NetworkCreateOptions } from 'dockerode'

import { ExecutorError } from '../../errors.js'
import type { ExecutorJob } from '../../executor.js'
import type { BuildConnection } from '../environment-record.js'
import type { DockerExecutorSettings } from '../settings.js'

/**
 * How the containers of a build reach one another (runner protocol, 7.8):
 *
 * - `own`: a network that is made for the build; names are resolved by the engine
 * - `named`: a network of the settings; likewise, but its names are shared with whatever else is in it
 * - `default`: the engine's default bridge, which knows no names: the build container gets host entries
 * - `host`: the machine's own network; services answer at 127.0.0.1, with ports that everybody shares
 * - `container`: the network of one other container, which allows no host entries
 * - `untouched`: whatever the settings say, since nobody has to be reached
 */
export type NetworkPlan =
  | { kind: 'own'; name: string }
  | { kind: 'named' | 'default' | 'host' | 'container'; mode: string }
  | { kind: 'untouched'; mode: string | undefined }

/** Throws an `ExecutorError` when there are services and nobody could reach them. */
export function planNetwork(
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  serviceTitles: string[],
): NetworkPlan {
  const mode = settings.networkMode
  if (mode === undefined) {
    const isWanted = job.networkPerBuild || settings.enableIpv6 || settings.networkMtu !== undefined
    return serviceTitles.length > 0 || isWanted
      ? { kind: 'own', name: networkName(job, settings) }
      : { kind: 'untouched', mode }
  }
  if (serviceTitles.length === 0) return { kind: 'untouched', mode }
  if (mode === 'none') throw unreachable(serviceTitles)
  if (mode === 'host') return { kind: 'host', mode }
  if (mode === 'bridge' || mode === 'default') return { kind: 'default', mode }
  return mode.startsWith('container:') ? { kind: 'container', mode } : { kind: 'named', mode }
}

/** What a job with services ought to know about their network; undefined when there is nothing odd about it. */
export function networkRemark(plan: NetworkPlan): string | undefined {
  switch (plan.kind) {
    case 'host':
      return (
        'The services share the network of the machine (network_mode "host"): they answer at 127.0.0.1, and ' +
        'services of other jobs that want the same port are in their way.'
      )
    case 'container':
      return (
        `The services share the network of another container (network_mode "${plan.mode}"): they answer at ` +
        '127.0.0.1, not under their names.'
      )
    default:
      return undefined
  }
}

function unreachable(titles: string[]): ExecutorError {
  return new ExecutorError(
    `The job asks for services (${titles.join(', ')}) that it could not reach: the runner's network_mode is "none". ` +
      'Remove network_mode from the settings of the runner, or give the job to another one with a tag.',
    'runner_configuration_error',
  )
}

const LONGEST_NAME = 63

function networkName(job: ExecutorJob, { runnerShortToken }: DockerExecutorSettings): string {
  const parts = [runnerShortToken, job.projectId, job.concurrentProjectId, job.jobId]
  return `runner-${parts.join('-')}`.slice(0, LONGEST_NAME)
}

/** What the engine is asked for. A second network of the name would make the name useless. */
export function networkOptions(
  name: string,
  settings: DockerExecutorSettings,
  labels: Record<string, string>,
): NetworkCreateOptions {
  const mtu = settings.networkMtu
  return {
    Name: name,
    CheckDuplicate: true,
    Driver: 'bridge',
    Labels: labels,
    ...(settings.enableIpv6 ? { EnableIPv6: true } : {}),
    ...(mtu === undefined ? {} : { Options: { 'com.docker.network.driver.mtu': String(mtu) } }),
  }
}

/** `hostEntries` are of services that run already. */
export function buildConnection(plan: NetworkPlan, hostEntries: string[]): BuildConnection {
  const none = { hasNames: false, hostEntries: [], environment: {} }
  switch (plan.kind) {
    case 'own': {
      const environment = { CI_BUILD_NETWORK_NAME: plan.name }
      return { ...none, networkMode: plan.name, hasNames: true, environment }
    }
    case 'named':
      return { ...none, networkMode: plan.mode, hasNames: true }
    case 'default':
    case 'host':
      return { ...none, networkMode: plan.mode, hostEntries }
    case 'container':
      return { ...none, networkMode: plan.mode }
    case 'untouched':
      return { ...none, networkMode: plan.mode ?? null }
  }
}

/** The part of a container's options that puts it into a network under `aliases`. */
export function networkingOptions(
  networkMode: string | null,
  aliases: string[],
): Pick<ContainerCreateOptions, 'NetworkingConfig'> {
  if (networkMode === null || aliases.length === 0) return {}
  return { NetworkingConfig: { EndpointsConfig: { [networkMode]: { Aliases: aliases } } } }
}

/** Names of the job's own container among its services (runner protocol, 7.8). */
export function buildAliases(connection: BuildConnection | undefined, containerName: string): string[] {
  return connection?.hasNames ? ['build', containerName] : []
}
