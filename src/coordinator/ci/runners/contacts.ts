import { MINUTE } from '../../../lib/time-units.js'
import { Turns } from '../../../lib/turns.js'
import { LEGACY_SYSTEM_ID, type RunnerInfo } from '../../../protocol/runner-info.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'

/** Contact times are only compared by the hour, so more frequent writes gain nothing (CI language, 14.4). */
const WRITE_EVERY = 5 * MINUTE
/** Maximum number of cached managers; evicting one costs one extra write. */
const MAX_REMEMBERED = 50_000

/** What one call of a runner reports about the runner. */
export interface RunnerContact {
  runnerId: number
  systemId?: string | undefined
  /** Sent by some calls only. */
  info?: RunnerInfo | undefined
  ip: string
}

interface TimedContact extends RunnerContact {
  /** In milliseconds since 1970. */
  at: number
}

interface Remembered {
  writtenAt: number
  /** The last `info` that was written. */
  info: string
}

/**
 * Stores the contact times of runners and the properties of their managers. An idle runner that polls costs
 * one write every few minutes. A changed version or feature of a manager is written immediately. Contacts that arrive
 * together, as after a start, share a commit.
 */
export class RunnerContacts {
  private readonly remembered = new Map<string, Remembered>()
  private readonly turns = new Turns<'any', TimedContact, undefined>((_key, take) => this.write(take()))

  constructor(
    private readonly database: Database,
    private readonly now: () => number = Date.now,
    /** Called after a contact was stored; must not throw. */
    private readonly onStored?: (runnerId: number) => void,
  ) {}

  /** Returns the time until which an equal contact is not stored again, in milliseconds since 1970. */
  async record(contact: RunnerContact): Promise<number> {
    const key = `${contact.runnerId} ${contact.systemId ?? ''}`
    const last = this.remembered.get(key)
    const info = contact.info ? merged(last?.info, contact.info) : (last?.info ?? '')
    const now = this.now()
    if (last && last.info === info && now - last.writtenAt < WRITE_EVERY) return last.writtenAt + WRITE_EVERY
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear()
    this.remembered.set(key, { writtenAt: now, info })
    await this.turns.ask('any', { ...contact, at: now })
    this.onStored?.(contact.runnerId)
    return now + WRITE_EVERY
  }

  /** Stores the `info` of a registration. Registering does not count as a contact. */
  async recordRegistration(runnerId: number, info: RunnerInfo, ip: string): Promise<void> {
    await this.database
      .updateTable('runner')
      .set({ ip_address: ip, ...runnerColumns(info) })
      .where('id', '=', runnerId)
      .execute()
  }

  /** The features that the manager last reported, for calls without `info`. */
  async featuresOf(runnerId: number, systemId?: string): Promise<Record<string, unknown>> {
    const manager = await this.database
      .selectFrom('runner_manager')
      .select('features')
      .where('runner_id', '=', runnerId)
      .where('system_id', '=', systemId ?? LEGACY_SYSTEM_ID)
      .executeTakeFirst()
    return manager?.features ?? {}
  }

  /** Ordered by runner, so that coordinators do not wait for each other. */
  private async write(contacts: readonly TimedContact[]): Promise<undefined[]> {
    const ordered = contacts.toSorted((one, other) => one.runnerId - other.runnerId)
    await inTransaction(this.database, async (tx) => {
      for (const contact of ordered) await this.writeContact(tx, contact)
    })
    return contacts.map(() => undefined)
  }

  private async writeContact(tx: Transaction, contact: TimedContact): Promise<void> {
    await this.writeRunner(tx, contact)
    if (contact.info) await this.writeManager(tx, contact, contact.info)
    else if (contact.systemId !== undefined) await this.writeMachine(tx, contact, contact.systemId)
  }

  private async writeRunner(tx: Transaction, { runnerId, info, ip, at }: TimedContact): Promise<void> {
    await tx
      .updateTable('runner')
      .set({ contacted_at: at, ip_address: ip, ...(info && runnerColumns(info)) })
      .where('id', '=', runnerId)
      .execute()
  }

  private async writeManager(tx: Transaction, contact: TimedContact, info: RunnerInfo): Promise<void> {
    const columns = {
      ...managerColumns(info),
      ip_address: contact.ip,
      contacted_at: contact.at,
    }
    await tx
      .insertInto('runner_manager')
      .values({
        features: '{}',
        ...columns,
        runner_id: contact.runnerId,
        system_id: contact.systemId ?? LEGACY_SYSTEM_ID,
        created_at: contact.at,
      })
      .onConflict((conflict) => conflict.columns(['runner_id', 'system_id']).doUpdateSet(columns))
      .execute()
  }

  /** Records a machine that sends only its system id, as older runners do when they verify. */
  private async writeMachine(
    tx: Transaction,
    { runnerId, ip, at }: TimedContact,
    systemId: string,
  ): Promise<void> {
    const columns = { ip_address: ip, contacted_at: at }
    await tx
      .insertInto('runner_manager')
      .values({ ...columns, runner_id: runnerId, system_id: systemId, features: '{}', created_at: at })
      .onConflict((conflict) => conflict.columns(['runner_id', 'system_id']).doUpdateSet(columns))
      .execute()
  }
}

/** Merges all values that were sent so far, because a call may contain only some. */
function merged(last: string | undefined, info: RunnerInfo): string {
  return JSON.stringify({ ...(last ? (JSON.parse(last) as RunnerInfo) : {}), ...info })
}

/** Values absent in `info` are not changed. */
function runnerColumns({ name, version, revision, platform, architecture }: RunnerInfo) {
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(revision !== undefined && { revision }),
    ...(platform !== undefined && { platform }),
    ...(architecture !== undefined && { architecture }),
  }
}

function managerColumns(info: RunnerInfo) {
  const { executor, shell, features, config, labels } = info
  return {
    ...runnerColumns(info),
    ...(executor !== undefined && { executor }),
    ...(shell !== undefined && { shell }),
    ...(features !== undefined && { features: JSON.stringify(features) }),
    ...(config !== undefined && { config: JSON.stringify(config) }),
    ...(labels !== undefined && { labels: JSON.stringify(labels) }),
  }
}
