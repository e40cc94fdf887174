import type { Database } from '../../database/connect.js'
import { entryNames } from '../engine/deployments/protection/entry-names.js'
import {
  entriesOf,
  type ProtectedEnvironmentEntryRow,
  type ProtectedEnvironmentRow,
  withEntries,
} from '../engine/deployments/protection/find-protections.js'
import type { ProtectedEnvironment } from './schema.js'

/** Returns public records, in the same order. Embedded records are read once for all of them. */
export async function describeProtectedEnvironments(
  database: Database,
  rules: ProtectedEnvironmentRow[],
): Promise<ProtectedEnvironment[]> {
  const entries = await entriesOf(
    database,
    rules.map(({ id }) => id),
  )
  const names = await entryNames(database, entries)
  return rules.map((rule) => {
    const { name, required_approval_count, deployers, approvers } = withEntries(rule, entries)
    return {
      name,
      deploy_access_levels: deployers.map((entry) => presentEntry(entry, names)),
      required_approval_count,
      approval_rules: approvers.map((entry) => ({
        ...presentEntry(entry, names),
        required_approvals: entry.required_approvals,
      })),
    }
  })
}

function presentEntry(entry: ProtectedEnvironmentEntryRow, names: Map<number, string>) {
  const { id, access_level, user_id, group_id, group_inheritance_type } = entry
  return {
    id,
    access_level,
    user_id,
    group_id,
    group_inheritance_type,
    access_level_description: names.get(id) ?? '',
  }
}
