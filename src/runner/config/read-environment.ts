import type { JobVariable } from '../../protocol/job-payload.js'
import type { TableReader } from './table-reader.js'

/** Reads the `environment` of a table: entries of the form `KEY=value` (runner protocol, 9.3). */
export function readEnvironment(reader: TableReader): JobVariable[] {
  return (reader.strings('environment') ?? []).flatMap((text) => {
    const [, key, value] = /^([^=]+)=([^]*)$/.exec(text) ?? []
    if (key === undefined || value === undefined) {
      reader.problem('environment', `must hold entries of the form KEY=value, not "${text}"`)
      return []
    }
    return [{ key, value, public: true }]
  })
}
