import { Check } from 'typebox/value'

import { InTurn } from '../../../../../lib/in-turn.js'
import { LedgerError } from '../model/errors.js'
import { InstanceRecord } from '../model/instance.js'
import type { LedgerStore } from './ledger-files.js'

/**
 * The records of the machines of one pool. A record is stored before the action that its state names begins, so that a
 * runner that was killed at any moment knows which machines may exist.
 */
export class Ledger {
  private readonly records = new Map<string, InstanceRecord>()
  private readonly writes = new InTurn()

  private constructor(private readonly store: LedgerStore) {}

  /** Throws `LedgerError` for a record that cannot be read: without it, its machine would be lost. */
  static async open(store: LedgerStore): Promise<Ledger> {
    const ledger = new Ledger(store)
    for (const [name, record] of await store.load()) {
      if (!Check(InstanceRecord, record) || record.name !== name) {
        const remedy = 'Delete the machine by hand if it exists, then its file.'
        throw new LedgerError(`The record of the machine "${name}" has an unknown format. ${remedy}`)
      }
      ledger.records.set(name, record)
    }
    return ledger
  }

  get(name: string): InstanceRecord | undefined {
    return this.records.get(name)
  }

  all(): InstanceRecord[] {
    return [...this.records.values()]
  }

  /** Changes a record at once, and resolves when that is stored. A machine without a record stays without one. */
  async update(name: string, change: (record: InstanceRecord) => InstanceRecord): Promise<void> {
    const before = this.records.get(name)
    const after = before && change(before)
    if (after && after !== before) await this.put(after)
  }

  /** Resolves when the record is stored. */
  async put(record: InstanceRecord): Promise<void> {
    this.records.set(record.name, record)
    await this.save(record.name)
  }

  /** Removes the record of a machine that no longer exists. */
  async remove(name: string): Promise<void> {
    this.records.delete(name)
    await this.save(name)
  }

  /** Stores the latest state, one write of a record at a time. */
  private async save(name: string): Promise<void> {
    await this.writes.run(name, async () => {
      const record = this.records.get(name)
      await (record ? this.store.write(name, record) : this.store.remove(name))
    })
  }
}
