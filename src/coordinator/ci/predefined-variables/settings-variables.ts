import { pathsAbove } from '../../../addresses/path-name.js'
import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { compareScopes } from '../../../ci-config/variables/environment-scope.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import type { ProjectRow } from '../../database/tables/pipeline-rows.js'

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
  const rows = await findRows(database, project, isProtected)
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

function findRows(
  database: Database,
  { id, full_path }: Pick<ProjectRow, 'id' | 'full_path'>,
  isProtected: boolean,
) {
  return database
    .selectFrom('ci_variable')
    .leftJoin('namespace', 'namespace.id', 'ci_variable.namespace_id')
    .selectAll('ci_variable')
    .select('namespace.full_path as group_path')
    .where(({ or, and, eb }) =>
      or([
        eb('project_id', '=', id),
        eb('namespace.full_path', 'in', pathsAbove(full_path)),
        and([eb('project_id', 'is', null), eb('namespace_id', 'is', null)]),
      ]),
    )
    .$if(!isProtected, (query) => query.where('protected', '=', false))
    .orderBy('ci_variable.id')
    .execute()
}

type Row = Awaited<ReturnType<typeof findRows>>[number]

function byPrecedence(one: Row, other: Row): number {
  return rank(one) - rank(other) || compareScopes(one.environment_scope, other.environment_scope)
}

/** A longer path is a nearer group. */
function rank({ project_id, group_path }: Row): number {
  if (project_id !== null) return Number.MAX_SAFE_INTEGER
  return group_path?.length ?? 0
}
