import type { NetworkPlan } from '../network/network-plan.js'
import type { StartedService } from './start-service.js'

const LOOPBACK = '127.0.0.1'

/** `name:address` for every alias, where the network does not know names (runner protocol, 7.8). */
export function hostEntries(
  network: NetworkPlan,
  services: Pick<StartedService, 'planned' | 'facts'>[],
): string[] {
  if (network.kind !== 'default' && network.kind !== 'host') return []
  return services.flatMap(({ planned, facts }) => {
    const address = network.kind === 'host' ? LOOPBACK : facts.address
    return address === undefined ? [] : planned.aliases.map((alias) => `${alias}:${address}`)
  })
}
