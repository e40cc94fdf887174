import type { Database } from '../../database/connect.js'
import { ApiError, conflict, notFound } from '../../http/errors.js'
import type { Project } from '../../http/operation.js'
import type { ProtectBranch } from './schema.js'
import {
  findProtectedRef,
  insertProtectedRef,
  type ProtectedRef,
  type RefKind,
  updateProtectedRef,
} from './store.js'

const MAINTAINER = 40
const LEVELS = [0, 30, 40]

/** Throws 409 for a rule that exists, 422 for a level that is none. */
export async function protectBranch(
  database: Database,
  project: Project,
  { name, push_access_level, merge_access_level, allow_force_push }: ProtectBranch,
): Promise<ProtectedRef> {
  const rule = await insertProtectedRef(database, {
    project_id: project.id,
    kind: 'branch',
    name,
    push_access_level: validLevel(push_access_level ?? MAINTAINER),
    merge_access_level: validLevel(merge_access_level ?? MAINTAINER),
    allow_force_push: allow_force_push ?? false,
    created_at: Date.now(),
  })
  if (!rule) throw conflict(`Protected branch '${name}' already exists`)
  return rule
}

export async function changeProtectedBranch(
  database: Database,
  project: Project,
  { name, push_access_level, merge_access_level, allow_force_push }: ProtectBranch,
): Promise<ProtectedRef> {
  const rule = await existingRule(database, project, 'branch', name)
  return updateProtectedRef(database, rule.id, {
    push_access_level: validLevel(push_access_level ?? rule.push_access_level),
    merge_access_level: validLevel(merge_access_level ?? rule.merge_access_level),
    allow_force_push: allow_force_push ?? rule.allow_force_push,
  })
}

export async function protectTag(
  database: Database,
  project: Project,
  { name, create_access_level }: { name: string; create_access_level?: number },
): Promise<ProtectedRef> {
  const level = validLevel(create_access_level ?? MAINTAINER)
  const rule = await insertProtectedRef(database, {
    project_id: project.id,
    kind: 'tag',
    name,
    push_access_level: level,
    merge_access_level: level,
    created_at: Date.now(),
  })
  if (!rule) throw conflict(`Protected tag '${name}' already exists`)
  return rule
}

export async function existingRule(
  database: Database,
  project: Project,
  kind: RefKind,
  name: string,
): Promise<ProtectedRef> {
  const rule = await findProtectedRef(database, project.id, kind, name)
  if (!rule) throw notFound()
  return rule
}

function validLevel(level: number): number {
  if (!LEVELS.includes(level)) {
    throw new ApiError(422, { message: ['Access level is not included in the list'] })
  }
  return level
}
