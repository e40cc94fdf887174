import type { ContainerCreateOptions, NetworkCreateOptions } from 'dockerode'

import { ExecutorError, type ExecutorJob } from '../../executor.js'
import type { BuildConnection } from '../environment-record.js'
import type { DockerExecutorSettings } from '../settings.js'

/**
 * How the containers of a build reach each other (runner protocol, 7.8):
 *
 * - `own`: a network created for the build; the engine resolves names
 * - `named`: a network from the settings; the engine resolves names, but other containers share them
 * - `default`: the engine's default bridge, which does not resolve names: the build container gets host entries
 * - `host`: the network of the machine; services are at 127.0.0.1, and their ports are shared by all jobs
 * - `container`: the network of another container, which does not allow host entries
 * - `untouched`: the network of the settings, because there are no services to reach
 */
export type NetworkPlan =
  | { kind: 'own'; name: string }
  | { kind: 'named' | 'default' | 'host' | 'container'; mode: string }
  | { kind: 'untouched'; mode: string | undefined }

/** Throws an `ExecutorError` if there are services and the network mode makes them unreachable. */
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

/** A notice for jobs with services about an unusual network. Undefined for the usual ones. */
export function networkRemark(plan: NetworkPlan): string | undefined {
  switch (plan.kind) {
    case 'host':
      return (
        'The services share the network of the machine (network_mode "host"): they are reachable at 127.0.0.1, and ' +
        'conflict with services of other jobs that use the same port.'
      )
    case 'container':
      return (
        `The services share the network of another container (network_mode "${plan.mode}"): they are reachable at ` +
        '127.0.0.1, not under their names.'
      )
    default:
      return undefined
  }
}

function unreachable(titles: string[]): ExecutorError {
  return new ExecutorError(
    `The job has services (${titles.join(', ')}) that it cannot reach, because the network_mode of the runner is "none". ` +
      'Remove network_mode from the settings of the runner, or use a tag of another runner for the job.',
    'runner_configuration_error',
  )
}

const MAX_NAME_LENGTH = 63

function networkName(job: ExecutorJob, { runnerShortToken }: DockerExecutorSettings): string {
  const parts = [runnerShortToken, job.projectId, job.concurrentProjectId, job.jobId]
  return `runner-${parts.join('-')}`.slice(0, MAX_NAME_LENGTH)
}

/** The options for creating the network. A second network with the same name would make the name ambiguous. */
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

/** `hostEntries` are those of services that are already running. */
export function buildConnection(plan: NetworkPlan, hostEntries: string[]): BuildConnection {
  const none = { hasNames: false, hostEntries: [], environment: {} }
  switch (plan.kind) {
    case 'own': {
      const environment = { CI_BUILD_NETWORK_NAME: plan.name }
      return { ...none, networkMode: plan.name, hasNames: true, hostEntries, environment }
    }
    case 'named':
      return { ...none, networkMode: plan.mode, hasNames: true, hostEntries }
    case 'default':
    case 'host':
      return { ...none, networkMode: plan.mode, hostEntries }
    case 'container':
      return { ...none, networkMode: plan.mode }
    case 'untouched':
      return { ...none, networkMode: plan.mode ?? null }
  }
}

/** The part of a container's options that attaches it to a network under `aliases`. */
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
