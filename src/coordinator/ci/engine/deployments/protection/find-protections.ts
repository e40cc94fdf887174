import type { Selectable } from 'kysely'

import type { Database } from '../../../../database/connect.js'
import type { Tier } from '../../../../database/tables/environments.js'
import type {
  ProtectedEnvironmentEntryTable,
  ProtectedEnvironmentTable,
} from '../../../../database/tables/protected-environments.js'

export type ProtectedEnvironmentRow = Selectable<ProtectedEnvironmentTable>
export type ProtectedEnvironmentEntryRow = Selectable<ProtectedEnvironmentEntryTable>

/** A rule that protects an environment, with its entries in the order of their ids. */
export interface EnvironmentProtection extends ProtectedEnvironmentRow {
  deployers: ProtectedEnvironmentEntryRow[]
  approvers: ProtectedEnvironmentEntryRow[]
}

/** The properties that the rules match: the name for rules of a project, the tier for rules of its groups. */
export interface ProtectableEnvironment {
  name: string
  tier: Tier
}

/** Reads the rules of a project and of the groups above it, for any of its environments. */
export async function findProtections(
  database: Database,
  projectId: number,
): Promise<EnvironmentProtection[]> {
  const rules = await rulesOf(database, projectId)
  const ids = rules.map(({ id }) => id)
  const entries = await entriesOf(database, ids)
  return rules.map((rule) => withEntries(rule, entries))
}

/** The rules that protect this environment. */
export function protecting(
  protections: EnvironmentProtection[],
  { name, tier }: ProtectableEnvironment,
): EnvironmentProtection[] {
  return protections.filter((rule) => rule.name === (rule.project_id === null ? tier : name))
}

export function withEntries(
  rule: ProtectedEnvironmentRow,
  entries: ProtectedEnvironmentEntryRow[],
): EnvironmentProtection {
  const own = entries.filter(({ protected_environment_id }) => protected_environment_id === rule.id)
  return {
    ...rule,
    deployers: own.filter(({ kind }) => kind === 'deploy'),
    approvers: own.filter(({ kind }) => kind === 'approve'),
  }
}

function rulesOf(database: Database, projectId: number): Promise<ProtectedEnvironmentRow[]> {
  return database
    .selectFrom('protected_environment')
    .selectAll()
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('project_id', '=', projectId),
        eb(
          'group_id',
          'in',
          selectFrom('project')
            .innerJoin('group_tree', 'group_tree.group_id', 'project.namespace_id')
            .select('group_tree.ancestor_id')
            .where('project.id', '=', projectId),
        ),
      ]),
    )
    .orderBy('id')
    .execute()
}

export async function entriesOf(
  database: Database,
  ruleIds: number[],
): Promise<ProtectedEnvironmentEntryRow[]> {
  if (ruleIds.length === 0) return []
  return database
    .selectFrom('protected_environment_entry')
    .selectAll()
    .where('protected_environment_id', 'in', ruleIds)
    .orderBy('id')
    .execute()
}
