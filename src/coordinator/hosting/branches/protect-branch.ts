import { DEVELOPER, MAINTAINER } from '../../access/access-levels.js'
import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { upsertProtectedRef } from '../protected-ref-store.js'
import type { ProtectOne } from './schema.js'

/** Protects one branch by its name, or changes its existing rule (API, E1). */
export async function protectOne(
  database: Database,
  project: Project,
  { branch, developers_can_push, developers_can_merge }: ProtectOne,
): Promise<void> {
  const levels = {
    push_access_level: developers_can_push ? DEVELOPER : MAINTAINER,
    merge_access_level: developers_can_merge ? DEVELOPER : MAINTAINER,
  }
  const values = { project_id: project.id, kind: 'branch', name: branch, created_at: Date.now() } as const
  await upsertProtectedRef(database, values, levels)
}
