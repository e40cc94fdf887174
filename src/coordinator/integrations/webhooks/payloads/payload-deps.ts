import type { Selectable } from 'kysely'

import type { Commit } from '../../../../git/parse-commit.js'
import type { Project } from '../../../access/caller.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import type { MergeRequestTable } from '../../../database/tables/merge-requests.js'
import type { ProjectAround } from './project-blocks.js'
import type { HookUser } from './user-block.js'

/** Services that build payloads. */
export interface PayloadDeps {
  database: Database
  secrets: SecretBox
  repositories: PayloadRepositories
  /** Content of an object of the wiki of a project; empty if it is too large for a payload. */
  wikiContent: (projectId: number, objectId: string) => Promise<string>
  pushedCommits: (projectId: number, range: PushedRange) => Promise<PushedCommits>
  /** The context of a merge request in addition to its row, at the time when the payload is made. */
  mergeRequestState: (row: Selectable<MergeRequestTable>) => Promise<MergeRequestState>
  /** Public URL without a trailing slash. */
  externalUrl: string
}

/** Keys of the payload of a merge request that other records decide (API, K5). */
export interface MergeRequestState {
  /** Null without a pipeline for its head. */
  head_pipeline_id: number | null
  detailed_merge_status: string
  blocking_discussions_resolved: boolean
  first_contribution: boolean
}

/** Repository functions that payloads need. */
export interface PayloadRepositories {
  readCommit(projectId: number, sha: string): Promise<Commit>
  /** The commit with this ID, or the one that an annotated tag points to. */
  commitOf(projectId: number, id: string): Promise<string | undefined>
  resolveRef(projectId: number, ref: string): Promise<{ sha: string } | undefined>
  tagMessage(projectId: number, tag: string): Promise<string | undefined>
  listTags(projectId: number): Promise<string[]>
}

/** A range of pushed commits; all values are commit IDs. */
interface PushedRange {
  to: string
  /** Commits that existed before, with their histories. */
  known: readonly string[]
  /** Maximum number of commits to describe. */
  most: number
}

interface PushedCommits {
  /** The newest commits, in order from oldest to newest, each with its changed files. */
  commits: { id: string; added: string[]; modified: string[]; removed: string[] }[]
  total: number
}

/** Undefined for a deleted project. */
export async function loadProject(
  { database, externalUrl }: PayloadDeps,
  projectId: number | null,
): Promise<ProjectAround | undefined> {
  if (projectId === null) return undefined
  const project = await database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', projectId)
    .executeTakeFirst()
  return project && aroundProject({ database, externalUrl }, project)
}

async function aroundProject(
  { database, externalUrl }: Pick<PayloadDeps, 'database' | 'externalUrl'>,
  project: Project,
): Promise<ProjectAround> {
  const { name } = await database
    .selectFrom('namespace')
    .select('name')
    .where('id', '=', project.namespace_id)
    .executeTakeFirstOrThrow()
  return { project, namespaceName: name, externalUrl }
}

export async function findUser(deps: PayloadDeps, id: number): Promise<HookUser | undefined> {
  return (await findUsers(deps, [id])).get(id)
}

/** Users by ID. */
export async function findUsers(
  { database }: PayloadDeps,
  ids: readonly number[],
): Promise<Map<number, HookUser>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('user')
    .leftJoin('user_profile', 'user_profile.user_id', 'user.id')
    .selectAll('user')
    .select('user_profile.public_email')
    .where('user.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Undefined if the commit does not exist; it may have been deleted with its branch. */
export async function findCommit(
  { repositories }: PayloadDeps,
  projectId: number,
  sha: string,
): Promise<Commit | undefined> {
  const id = await repositories.commitOf(projectId, sha)
  return id === undefined ? undefined : repositories.readCommit(projectId, id)
}
