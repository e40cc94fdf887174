import { LEGACY_SYSTEM_ID, type RunnerInfo } from '../../../protocol/runner-info.js'
import type { Database } from '../../database/connect.js'

/** Times are only told apart by hours, so that writing more often would gain nothing (CI language, 14.4). */
const WRITE_EVERY = 5 * 60_000
/** Managers remembered; forgetting them only costs a write each. */
const MAXIMUM_REMEMBERED = 50_000

/** What one call of a runner tells about it. */
export interface RunnerContact {
  runnerId: number
  systemId?: string | undefined
  /** Sent by some calls only. */
  info?: RunnerInfo | undefined
  ip: string
}

interface Remembered {
  writtenAt: number
  /** Of the last `info` that was written. */
  info: string
}

/**
 * Keeps the times at which runners were heard of, and what their managers are. An idle runner that polls all day costs
 * one write every few minutes; a manager that changes its version or features is written at once.
 */
export class RunnerContacts {
  private readonly remembered = new Map<string, Remembered>()

  constructor(
    private readonly database: Database,
    private readonly now: () => number = Date.now,
  ) {}

  async note(contact: RunnerContact): Promise<void> {
    const key = `${contact.runnerId} ${contact.systemId ?? ''}`
    const last = this.remembered.get(key)
    const info = contact.info ? merged(last?.info, contact.info) : (last?.info ?? '')
    const now = this.now()
    if (last && last.info === info && now - last.writtenAt < WRITE_EVERY) return
    if (this.remembered.size >= MAXIMUM_REMEMBERED) this.remembered.clear()
    this.remembered.set(key, { writtenAt: now, info })
    await this.writeRunner(contact, now)
    if (contact.info) await this.writeManager(contact, contact.info, now)
    else if (contact.systemId !== undefined) await this.writeMachine(contact, contact.systemId, now)
  }

  /** Keeps the `info` of a registration. A runner that has only registered was not contacted yet. */
  async recordRegistration(runnerId: number, info: RunnerInfo, ip: string): Promise<void> {
    await this.database
      .updateTable('runner')
      .set({ ip_address: ip, ...runnerColumns(info) })
      .where('id', '=', runnerId)
      .execute()
  }

  /** What the manager last said it can do; for calls that carry no `info`. */
  async featuresOf(runnerId: number, systemId?: string): Promise<Record<string, unknown>> {
    const manager = await this.database
      .selectFrom('runner_manager')
      .select('features')
      .where('runner_id', '=', runnerId)
      .where('system_id', '=', systemId ?? LEGACY_SYSTEM_ID)
      .executeTakeFirst()
    return manager?.features ?? {}
  }

  private async writeRunner({ runnerId, info, ip }: RunnerContact, now: number): Promise<void> {
    await this.database
      .updateTable('runner')
      .set({ contacted_at: now, ip_address: ip, ...(info && runnerColumns(info)) })
      .where('id', '=', runnerId)
      .execute()
  }

  private async writeManager(contact: RunnerContact, info: RunnerInfo, now: number): Promise<void> {
    const columns = {
      ...managerColumns(info),
      ip_address: contact.ip,
      contacted_at: now,
    }
    await this.database
      .insertInto('runner_manager')
      .values({
        features: '{}',
        ...columns,
        runner_id: contact.runnerId,
        system_id: contact.systemId ?? LEGACY_SYSTEM_ID,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['runner_id', 'system_id']).doUpdateSet(columns))
      .execute()
  }

  /** A machine that says which one it is and no more, as older runners do that are verified. */
  private async writeMachine({ runnerId, ip }: RunnerContact, systemId: string, now: number): Promise<void> {
    const columns = { ip_address: ip, contacted_at: now }
    await this.database
      .insertInto('runner_manager')
      .values({ ...columns, runner_id: runnerId, system_id: systemId, features: '{}', created_at: now })
      .onConflict((conflict) => conflict.columns(['runner_id', 'system_id']).doUpdateSet(columns))
      .execute()
  }
}

/** Of all that was sent so far: a call may send a part of it. */
function merged(last: string | undefined, info: RunnerInfo): string {
  return JSON.stringify({ ...(last ? (JSON.parse(last) as RunnerInfo) : {}), ...info })
}

/** What is not in `info` stays as it is known. */
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
