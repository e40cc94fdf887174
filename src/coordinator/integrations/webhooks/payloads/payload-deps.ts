import type { Commit } from '../../../../git/parse-commit.js'
import type { Project } from '../../../access/caller.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import type { HookUser, ProjectAround } from './blocks.js'

/** What payloads are made with. */
export interface PayloadDeps {
  database: Database
  secrets: SecretBox
  repositories: PayloadRepositories
  pushedCommits: (projectId: number, range: PushedRange) => Promise<PushedCommits>
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** What payloads ask of git. */
export interface PayloadRepositories {
  readCommit(projectId: number, sha: string): Promise<Commit>
  /** The commit that an object is or points to. */
  commitOf(projectId: number, id: string): Promise<string | undefined>
  resolveRef(projectId: number, ref: string): Promise<{ sha: string } | undefined>
  tagMessage(projectId: number, tag: string): Promise<string | undefined>
  listTags(projectId: number): Promise<string[]>
}

/** Some commits of a push, all ids. */
export interface PushedRange {
  to: string
  /** Commits that were there before, with their histories. */
  known: readonly string[]
  /** Maximum number of commits to describe. */
  most: number
}

export interface PushedCommits {
  /** The newest ones, the oldest of these first, each with the files it changed. */
  commits: { id: string; added: string[]; modified: string[]; removed: string[] }[]
  total: number
}

/** Undefined for a project that is gone. */
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

export async function aroundProject(
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

/** By their ids. */
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

/** Undefined for one that is not there: the history it belonged to may be gone. */
export async function findCommit(
  { repositories }: PayloadDeps,
  projectId: number,
  sha: string,
): Promise<Commit | undefined> {
  const id = await repositories.commitOf(projectId, sha)
  return id === undefined ? undefined : repositories.readCommit(projectId, id)
}
