import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { messageOf } from '../../../../../lib/errors.js'
import { namesIn, readIfThere, removeUnfinished, replaceFile } from '../../../../../lib/files.js'
import { LedgerError } from '../model/errors.js'

const SUFFIX = '.json'

/** Where a ledger keeps its records. A method resolves when its effect survives a power failure. */
export interface LedgerStore {
  /** The records by name. */
  load(): Promise<Map<string, unknown>>
  write(name: string, record: unknown): Promise<void>
  remove(name: string): Promise<void>
}

/** A folder with one file for each record. Throws `LedgerError` for a file that is not JSON. */
export class LedgerFiles implements LedgerStore {
  constructor(private readonly folder: string) {}

  async load(): Promise<Map<string, unknown>> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    // What a killed runner has not written to its end.
    await removeUnfinished(this.folder, new Date())
    const names = (await namesIn(this.folder)).filter((file) => file.endsWith(SUFFIX))
    const records = new Map<string, unknown>()
    for (const file of names) records.set(file.slice(0, -SUFFIX.length), await this.read(file))
    return records
  }

  async write(name: string, record: unknown): Promise<void> {
    await replaceFile(this.file(name), JSON.stringify(record), { flush: true })
  }

  async remove(name: string): Promise<void> {
    await rm(this.file(name), { force: true })
  }

  private async read(file: string): Promise<unknown> {
    const path = join(this.folder, file)
    try {
      return JSON.parse((await readIfThere(path)) ?? '')
    } catch (error) {
      throw new LedgerError(`${path} cannot be read: ${messageOf(error)}`, { cause: error })
    }
  }

  private file(name: string): string {
    return join(this.folder, `${name}${SUFFIX}`)
  }
}
