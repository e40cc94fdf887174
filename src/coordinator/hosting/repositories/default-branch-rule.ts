import { DEVELOPER, MAINTAINER } from '../../access/access-levels.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import type { ProtectedRefTable } from '../../database/tables/protected-refs.js'
import type { Transaction } from '../../database/transaction.js'

type Levels = Pick<ProtectedRefTable, 'push_access_level' | 'merge_access_level'>

/** By the numbers of groups and of the instance (API, E2): 2 = only maintainers, 4 = only maintainers. */
const LEVELS: Readonly<Record<number, Levels>> = {
  1: { push_access_level: DEVELOPER, merge_access_level: MAINTAINER },
  2: { push_access_level: MAINTAINER, merge_access_level: MAINTAINER },
  3: { push_access_level: MAINTAINER, merge_access_level: DEVELOPER },
  4: { push_access_level: MAINTAINER, merge_access_level: MAINTAINER },
}

/**
 * The roles that push to the default branch of a new project and merge into it, from the settings of its group, or of
 * the instance for a personal project. Undefined if it is not protected.
 */
export async function defaultBranchLevels(tx: Transaction, projectId: number): Promise<Levels | undefined> {
  const namespace = await tx
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespace_id')
    .select(['namespace.kind', 'namespace.default_branch_protection'])
    .where('project.id', '=', projectId)
    .executeTakeFirst()
  if (namespace?.kind === 'group') return LEVELS[namespace.default_branch_protection]
  const { default_branch_protection } = await effectiveSettings(tx, 'default_branch_protection')
  return LEVELS[default_branch_protection]
}
