import type { ContainerCreateOptions } from 'dockerode'

import type { BuildConnection } from './connection-record.js'
import type { NetworkPlan } from './network-plan.js'

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
