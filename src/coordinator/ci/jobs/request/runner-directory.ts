import type { RunnerInfo } from '../../../../protocol/runner-info.js'
import type { RunnerRow } from '../../../database/tables/pipeline-rows.js'

/** What one call of a runner tells about it. */
export interface RunnerSignOfLife {
  runnerId: number
  systemId?: string | undefined
  info?: RunnerInfo | undefined
  ip: string
}

/** What jobs ask about runners; the coordinator hands it in. */
export interface RunnerDirectory {
  /** The runner whose authentication token this is. */
  findByToken(token: string): Promise<RunnerRow | undefined>
  recordContact(contact: RunnerSignOfLife): Promise<void>
  /** What the machine last said it can do. */
  featuresOf(runnerId: number, systemId?: string): Promise<Record<string, unknown>>
}
