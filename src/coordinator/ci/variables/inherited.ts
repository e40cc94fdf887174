import { pathsAbove } from '../../../addresses/path-name.js'
import type { Database } from '../../database/connect.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { VariableOwner } from './owner.js'
import { presentWithoutValue } from './present.js'
import type { InheritedVariable } from './schema.js'
import { type VariableRow, variablesOf } from './store.js'

/** A project or group, and the path that names the groups above it. */
export interface Heir {
  owner: VariableOwner
  fullPath: string
}

/** The variables that jobs have from the instance and from the groups above, without their values (CI language, 8.1). */
export async function listInherited(
  database: Database,
  { owner, fullPath }: Heir,
  paging: Paging,
): Promise<Rows<InheritedVariable>> {
  const groups = await groupsAbove(database, fullPath)
  const ids = groups.map(({ id }) => id)
  const inherited = database
    .selectFrom('ci_variable')
    .where('project_id', 'is', null)
    .where(({ or, eb }) =>
      or([eb('namespace_id', 'is', null), ...(ids.length > 0 ? [eb('namespace_id', 'in', ids)] : [])]),
    )
  const order = { table: 'ci_variable', column: 'id', direction: 'asc' } as const
  const { rows, total } = await listRows(database, inherited, paging, order)
  if (rows.length === 0) return { rows: [], total }
  const keys = rows.map(({ key }) => key)
  const rivals = [
    ...(await inherited.selectAll().where('key', 'in', keys).execute()),
    ...(await variablesOf(database, owner).selectAll().where('key', 'in', keys).execute()),
  ]
  const rank = ranksOf(groups)
  return {
    rows: rows.map((row) => {
      const group = groups.find(({ id }) => id === row.namespace_id)
      return {
        ...presentWithoutValue(row),
        group_name: group?.name ?? null,
        group_full_path: group?.full_path ?? null,
        overridden: rivals.some((rival) => overrides(rival, row, rank)),
      }
    }),
    total,
  }
}

interface GroupAbove {
  id: number
  name: string
  full_path: string
}

/** Outermost first. */
async function groupsAbove(database: Database, fullPath: string): Promise<GroupAbove[]> {
  const above = pathsAbove(fullPath)
  if (above.length === 0) return []
  const groups = await database
    .selectFrom('namespace')
    .select(['id', 'name', 'full_path'])
    .where('full_path', 'in', above)
    .execute()
  return groups.toSorted((one, other) => one.full_path.length - other.full_path.length)
}

type VariablePosition = Pick<
  VariableRow,
  'key' | 'environment_scope' | 'project_id' | 'namespace_id' | 'protected'
>

/** The instance comes first, then groups from the root on, then the project or group that inherits. */
function ranksOf(groups: readonly GroupAbove[]): (position: VariablePosition) => number {
  const places = [null, ...groups.map(({ id }) => id)]
  return ({ project_id, namespace_id }) => {
    const at = project_id === null ? places.indexOf(namespace_id) : -1
    return at < 0 ? places.length : at
  }
}

/**
 * Whether a variable of a nearer level replaces this one in every job. One that is only for protected refs, or for some
 * environments, leaves the others to the inherited variable.
 */
function overrides(
  rival: VariablePosition,
  inherited: VariablePosition,
  rank: (position: VariablePosition) => number,
): boolean {
  const coversScope =
    rival.environment_scope === '*' || rival.environment_scope === inherited.environment_scope
  return (
    rival.key === inherited.key &&
    rank(rival) > rank(inherited) &&
    coversScope &&
    (!rival.protected || inherited.protected)
  )
}
