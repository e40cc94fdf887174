import { setMaxListeners } from 'node:events'

/** Images and projects of which each host is known to have files. The least recently used one is dropped. */
const MAX_REMEMBERED = 64
/** A host without room falls behind its share by so many jobs at most, so that it is not flooded afterwards. */
const MAX_ARREARS = 8

/** What one host runs and has run. */
export interface HostLoad {
  readonly jobs: Set<number>
  /** Jobs that have ended and are held. They take no place. */
  readonly held: Set<number>
  /** Jobs that were placed on the host, divided by its weight. */
  share: number
  /** When the host last failed to prepare a job, in milliseconds since 1970. */
  failedAt: number | undefined
  readonly images: RecentNames
  readonly projects: RecentNames
}

/** The loads of hosts by name. Shared by the executors that follow each other as the settings change. */
export class HostLoads {
  /** `change`: a job began or ended, or a host began or ceased to respond. */
  readonly changes = new EventTarget()
  /** Jobs of an earlier process that are still to be adopted. */
  readonly kept = new Set<number>()
  private readonly loads = new Map<string, HostLoad>()

  constructor() {
    // One for each job that waits for room.
    setMaxListeners(0, this.changes)
  }

  /** A new host begins with the least share of the others. */
  of(name: string): HostLoad {
    let load = this.loads.get(name)
    if (!load) {
      const shares = [...this.loads.values()].map(({ share }) => share)
      load = {
        jobs: new Set(),
        held: new Set(),
        share: shares.length === 0 ? 0 : Math.min(...shares),
        failedAt: undefined,
        images: new RecentNames(),
        projects: new RecentNames(),
      }
      this.loads.set(name, load)
    }
    return load
  }

  /**
   * The jobs of all hosts, and those that are still to be adopted. Cleanups keep what belongs to them on every host,
   * because two hosts in the settings may be the same engine.
   */
  allJobs(): ReadonlySet<number> {
    return new Set([
      ...this.kept,
      ...[...this.loads.values()].flatMap(({ jobs, held }) => [...jobs, ...held]),
    ])
  }

  /** Counts a job for `name`. `others` could not get it, and are only owed a few jobs. */
  place(name: string, weight: number, others: readonly { name: string; weight: number }[]): void {
    const load = this.of(name)
    const { share } = load
    load.share += 1 / weight
    for (const other of others) {
      const behind = this.of(other.name)
      behind.share = Math.max(behind.share, share - MAX_ARREARS / other.weight)
    }
  }

  delete(name: string): void {
    this.loads.delete(name)
  }
}

/** The most recent names. */
class RecentNames {
  private readonly names = new Set<string>()

  has(name: string): boolean {
    return this.names.has(name)
  }

  add(name: string): void {
    this.names.delete(name)
    this.names.add(name)
    const [oldest] = this.names
    if (oldest !== undefined && this.names.size > MAX_REMEMBERED) this.names.delete(oldest)
  }
}
