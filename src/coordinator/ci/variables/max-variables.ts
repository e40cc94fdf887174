import type { Database } from '../../database/connect.js'
import { planLimit } from '../../database/stores/plan-limit-store.js'
import type { OwnerKind } from './owner.js'

const MAX: Readonly<Record<Exclude<OwnerKind, 'instance'>, number>> = { project: 8000, group: 30_000 }

/** Variables that one owner may have (CI language, 18); 0 = no limit. */
export async function maxVariables(database: Database, kind: OwnerKind): Promise<number> {
  return kind === 'instance' ? planLimit(database, 'ci_instance_level_variables') : MAX[kind]
}
