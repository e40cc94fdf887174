import { branchOrTag } from '../../../git/names.js'
import type { Database } from '../../database/connect.js'
import type { EngineRepositories } from './engine-deps.js'

/** A branch or tag as pipelines and jobs store it. A branch and a tag may have the same name. */
export interface StoredRef {
  /** Short name. */
  ref: string
  tag: boolean
}

export interface StoredRefDeps {
  database: Database
  repositories: Pick<EngineRepositories, 'resolveRef'>
}

/**
 * Resolves the ref of a request: a short name, `refs/heads/<name>` or `refs/tags/<name>`. A short name
 * selects the branch, and the tag only if no such branch exists. Otherwise a user who may create tags could
 * impersonate a protected branch. A name that is not in the repository selects the deleted ref that has
 * pipelines, the branch first.
 */
export async function resolveStoredRef(
  { database, repositories }: StoredRefDeps,
  projectId: number,
  name: string,
): Promise<StoredRef> {
  const full = branchOrTag(name)
  if (full) return { ref: full.name, tag: full.kind === 'tag' }
  const found = await repositories.resolveRef(projectId, name)
  if (found) return { ref: found.ref, tag: found.type === 'tag' }
  const hasOnlyTags =
    !(await hasPipelines(database, projectId, { ref: name, tag: false })) &&
    (await hasPipelines(database, projectId, { ref: name, tag: true }))
  return { ref: name, tag: hasOnlyTags }
}

async function hasPipelines(
  database: Database,
  projectId: number,
  { ref, tag }: StoredRef,
): Promise<boolean> {
  const pipeline = await database
    .selectFrom('pipeline')
    .select('id')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .limit(1)
    .executeTakeFirst()
  return pipeline !== undefined
}
