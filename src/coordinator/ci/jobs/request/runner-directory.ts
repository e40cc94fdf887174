import type { RunnerInfo } from '../../../../protocol/runner-info.js'
import type { RunnerRow } from '../../../database/tables/pipeline-rows.js'

/** What one call of a runner reports about the runner. */
interface RunnerSignOfLife {
  runnerId: number
  systemId?: string | undefined
  info?: RunnerInfo | undefined
  ip: string
}

/** The queries about runners that job requests need; the composition root passes them in. */
export interface RunnerDirectory {
  /** The runner with this authentication token. */
  findByToken(token: string): Promise<RunnerRow | undefined>
  /** Returns the time until which an equal contact is not stored again, in milliseconds since 1970. */
  recordContact(contact: RunnerSignOfLife): Promise<number>
  /** The features that the machine last reported. */
  featuresOf(runnerId: number, systemId?: string): Promise<Record<string, unknown>>
}
