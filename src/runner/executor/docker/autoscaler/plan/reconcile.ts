import type { InstanceRecord } from '../model/instance.js'
import { isNameIn } from '../model/pool-names.js'
import type { PluginInstance } from '../plugins/plugin.js'

/** A list may miss a machine once, such as that of a cloud which is eventually consistent. */
const MAX_MISSES = 2
/** Milliseconds between two attempts to delete a machine. */
const DELETE_AGAIN = 30_000

/** A record, and what this process knows of its machine. */
export interface KnownInstance {
  record: InstanceRecord
  /** Whether an action of this process is under way. */
  isBusy: boolean
  /** Consecutive lists without the machine, before this one. */
  misses: number
  /** When an attempt to delete the machine ended. Undefined if there was none in this process. */
  deletedAt: number | undefined
}

export interface Listing {
  instances: readonly PluginInstance[]
  /** Milliseconds since 1970. Later changes may be missing. */
  startedAt: number
}

export interface Reconciliation {
  /** Machines whose creation an earlier process began, and that exist. */
  found: PluginInstance[]
  /** Machines that are not in the list. They are lost if they were missing before. */
  missing: string[]
  lost: string[]
  /** Machines that were deleted and no longer exist. */
  gone: string[]
  /** Machines that are to be deleted and still exist, or whose deletion an earlier process began. */
  undeleted: string[]
  /** Machines of this pool without a record. A command that outlived its runner may have created them. */
  unknown: PluginInstance[]
}

/** Compares the records of a pool with the machines that exist. */
export function reconcile(known: readonly KnownInstance[], listing: Listing, pool: string): Reconciliation {
  const listed = new Map(listing.instances.map((machine) => [machine.name, machine]))
  const recorded = new Set(known.map(({ record }) => record.name))
  const isListed = ({ record }: KnownInstance) => listed.has(record.name)
  const idle = known.filter(({ isBusy }) => !isBusy)
  // A machine that this process waits for may be lost while it starts.
  const existing = known.filter(
    ({ record: { state, since }, isBusy }) =>
      (state === 'starting' || (!isBusy && (state === 'ready' || state === 'draining'))) &&
      since < listing.startedAt,
  )
  const absent = existing.filter((instance) => !isListed(instance))
  const deleting = idle.filter(({ record }) => record.state === 'deleting')
  const deleted = deleting.filter(({ deletedAt = Infinity }) => deletedAt < listing.startedAt)
  return {
    found: idle
      .filter(({ record }) => record.state === 'creating')
      .flatMap(({ record }) => listed.get(record.name) ?? []),
    missing: namesOf(absent),
    lost: namesOf(absent.filter(({ misses }) => misses + 1 >= MAX_MISSES)),
    gone: namesOf(deleted.filter((instance) => !isListed(instance))),
    undeleted: namesOf(
      deleting.filter(
        (instance) =>
          instance.deletedAt === undefined ||
          (isListed(instance) && listing.startedAt - instance.deletedAt >= DELETE_AGAIN),
      ),
    ),
    unknown: listing.instances.filter(({ name }) => isNameIn(pool, name) && !recorded.has(name)),
  }
}

function namesOf(instances: readonly KnownInstance[]): string[] {
  return instances.map(({ record }) => record.name)
}
