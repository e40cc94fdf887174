import { findProject } from '../../../../../src/coordinator/ci/engine/pipeline-store.js'
import type { Database } from '../../../../../src/coordinator/database/connect.js'
import type {
  ProjectRow,
  RunnerRow,
  UserRow,
} from '../../../../../src/coordinator/database/tables/pipeline-rows.js'

let counter = 0

export async function addUser(database: Database): Promise<UserRow> {
  const name = `user${++counter}`
  const { id } = await database
    .insertInto('user')
    .values({
      username: name,
      name,
      email: `${name}@example.com`,
      state: 'active',
      is_admin: false,
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export interface ProjectTraits extends Partial<
  Pick<ProjectRow, 'shared_runners_enabled' | 'group_runners_enabled' | 'build_timeout' | 'archived'>
> {
  /** Full path of the group; by default a new one. */
  group?: string
}

/** Returns the ID of the group with this full path. Creates missing groups of the path. */
export async function addGroup(database: Database, fullPath: string): Promise<number> {
  const known = await database
    .selectFrom('namespace')
    .select('id')
    .where('full_path', '=', fullPath)
    .executeTakeFirst()
  if (known) return known.id
  const path = fullPath.split('/').at(-1) ?? fullPath
  const above = fullPath.slice(0, -path.length - 1)
  const parent_id = above === '' ? null : await addGroup(database, above)
  const { id } = await database
    .insertInto('namespace')
    .values({
      kind: 'group',
      name: path,
      path,
      full_path: fullPath,
      visibility: 'private',
      created_at: Date.now(),
      parent_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ancestors = await database
    .selectFrom('group_tree')
    .select('ancestor_id')
    .where('group_id', '=', parent_id ?? 0)
    .execute()
  const rows = [id, ...ancestors.map(({ ancestor_id }) => ancestor_id)]
  await database
    .insertInto('group_tree')
    .values(rows.map((ancestor_id) => ({ group_id: id, ancestor_id })))
    .execute()
  return id
}

export async function addProject(
  database: Database,
  owner: UserRow,
  { group, ...changes }: ProjectTraits = {},
): Promise<ProjectRow> {
  const path = `project${++counter}`
  const now = Date.now()
  const groupPath = group ?? path
  const namespace = await addGroup(database, groupPath)
  const { id } = await database
    .insertInto('project')
    .values({
      namespace_id: namespace,
      creator_id: owner.id,
      name: path,
      path,
      full_path: `${groupPath}/${path}`,
      visibility: 'private',
      default_branch: 'main',
      runners_token_digest: path,
      runners_token_encrypted: path,
      created_at: now,
      updated_at: now,
      last_activity_at: now,
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return findProject(database, id)
}

export interface RunnerTraits {
  type?: RunnerRow['runner_type']
  tags?: string[]
  runUntagged?: boolean
  protectedOnly?: boolean
  maximumTimeout?: number
  projects?: readonly ProjectRow[]
  /** Full path of the group of a group runner. */
  group?: string
  active?: boolean
  locked?: boolean
  weight?: number
}

/** An instance runner that takes untagged jobs, unless the traits say otherwise. */
export async function addRunner(database: Database, traits: RunnerTraits = {}): Promise<RunnerRow> {
  const { id } = await database
    .insertInto('runner')
    .values({
      runner_type: traits.type ?? (traits.group ? 'group_type' : 'instance_type'),
      group_id: traits.group ? await addGroup(database, traits.group) : null,
      active: traits.active ?? true,
      locked: traits.locked ?? false,
      weight: traits.weight ?? 0,
      token_digest: `runner${++counter}`,
      tag_list: JSON.stringify(traits.tags ?? []),
      run_untagged: traits.runUntagged ?? true,
      access_level: traits.protectedOnly ? 'ref_protected' : 'not_protected',
      maximum_timeout: traits.maximumTimeout ?? null,
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const project of traits.projects ?? []) {
    await database.insertInto('runner_project').values({ runner_id: id, project_id: project.id }).execute()
  }
  return database.selectFrom('runner').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function protectBranch(database: Database, projectId: number, name: string): Promise<void> {
  await database
    .insertInto('protected_ref')
    .values({
      project_id: projectId,
      kind: 'branch',
      name,
      push_access_level: 40,
      merge_access_level: 40,
      created_at: Date.now(),
    })
    .execute()
}
