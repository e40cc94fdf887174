import type { ListedEnvironment } from '../../../coordinator/ci/environments/schema.js'

/** Tiers, the most important first. */
export const TIERS = ['production', 'staging', 'testing', 'development', 'other']

/** Environments of one folder, such as `review`, or one environment that is in none. */
export interface EnvironmentGroup {
  /** The part of the names before the first `/`; undefined for an environment without one. */
  folder: string | undefined
  environments: ListedEnvironment[]
}

/** Environments by tier, production first, then by name; those of a folder are together, behind the others. */
export function arrange(environments: readonly ListedEnvironment[]): EnvironmentGroup[] {
  const folders = new Map<string, ListedEnvironment[]>()
  const single: EnvironmentGroup[] = []
  for (const environment of environments.toSorted(byTierAndName)) {
    const slash = environment.name.indexOf('/')
    if (slash <= 0) {
      single.push({ folder: undefined, environments: [environment] })
      continue
    }
    const folder = environment.name.slice(0, slash)
    const others = folders.get(folder)
    if (others) others.push(environment)
    else folders.set(folder, [environment])
  }
  return [...single, ...[...folders].map(([folder, inside]) => ({ folder, environments: inside }))]
}

function byTierAndName(a: ListedEnvironment, b: ListedEnvironment): number {
  return TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) || a.name.localeCompare(b.name)
}

/** Number of environments in a folder, and of those that stop automatically before the end of the day. */
export function folderSummary(
  environments: readonly Pick<ListedEnvironment, 'auto_stop_at'>[],
  endOfDay: number,
): string {
  const stopping = environments.filter(
    ({ auto_stop_at: at }) => at !== null && Date.parse(at) < endOfDay,
  ).length
  return `${environments.length}${stopping === 0 ? '' : `, ${stopping} ${stopping === 1 ? 'stops' : 'stop'} today`}`
}

/** The commit in production, for comparisons; undefined unless exactly one production environment has a deployment. */
export function productionCommit(environments: readonly ListedEnvironment[]): string | undefined {
  const deployed = environments.filter(({ tier, last_deployment: last }) => tier === 'production' && last)
  return deployed.length === 1 ? deployed[0]?.last_deployment?.sha : undefined
}

/** An address that a page may link to; undefined for other schemes, such as `javascript:`. */
export function safeAddress(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** An address without its scheme and a trailing slash, for a link. */
export function shownAddress(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
