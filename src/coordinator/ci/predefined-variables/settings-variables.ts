import { type Selectable, sql, type SqlBool } from 'kysely'

import { pathsAbove } from '../../../addresses/path-name.js'
import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { compareScopes } from '../../../ci-config/variables/environment-scope.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { ProjectRow } from '../../database/tables/pipeline-rows.js'
import type { CiVariableTable } from '../../database/tables/variables.js'

/**
 * Variables from settings for the jobs of a project, lowest precedence first: of the instance, of its groups
 * from the root on, of the project. Within one level, the most specific environment scope of a name comes
 * last (CI language, 8.1). Protected variables apply only to protected refs.
 */
export async function settingsVariables(
  { database, secrets }: { database: Database; secrets: SecretBox },
  project: Pick<ProjectRow, 'id' | 'full_path'>,
  isProtected: boolean,
): Promise<ContextVariable[]> {
  const rows = await variablesFor(database, {
    projectId: project.id,
    groupPaths: pathsAbove(project.full_path),
    isProtected,
  })
  return rows.sort(byPrecedence).map((row) => ({
    key: row.key,
    value: secrets.decrypt(row.value_encrypted),
    raw: row.raw,
    masked: row.masked,
    file: row.variable_type === 'file',
    protected: row.protected,
    environmentScope: row.environment_scope,
  }))
}

type Holes = {
  projectId: Placeholder<number>
  groupPaths: Placeholder<string>[]
  isProtected: Placeholder<boolean>
}

/** Each part uses an index of its own; conditions joined by `or` would scan the table. */
const variablesFor = preparedRead((database, { projectId, groupPaths, isProtected }: Holes) => {
  const visible = database
    .selectFrom('ci_variable')
    .selectAll('ci_variable')
    .where(sql<SqlBool>`(${isProtected} or not ci_variable.protected)`)
  const noGroup = sql<string | null>`cast(null as text)`.as('group_path')
  return visible
    .select(noGroup)
    .where('project_id', '=', projectId)
    .unionAll(
      visible
        .innerJoin('namespace', 'namespace.id', 'ci_variable.namespace_id')
        .select('namespace.full_path as group_path')
        .where('namespace.full_path', 'in', groupPaths),
    )
    .unionAll(visible.select(noGroup).where('project_id', 'is', null).where('namespace_id', 'is', null))
    .orderBy('id')
})

type Row = Selectable<CiVariableTable> & { group_path: string | null }

function byPrecedence(one: Row, other: Row): number {
  return rank(one) - rank(other) || compareScopes(one.environment_scope, other.environment_scope)
}

/** A longer path is a nearer group. */
function rank({ project_id, group_path }: Row): number {
  if (project_id !== null) return Number.MAX_SAFE_INTEGER
  return group_path?.length ?? 0
}
