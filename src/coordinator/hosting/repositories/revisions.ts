import { isRefName, type RefKind } from '../../../git/names.js'
import type { Project } from '../../access/caller.js'
import { type ApiError, notFound } from '../../http/errors.js'
import type { Repositories } from './repositories.js'

/** Resolves a revision of a request to a commit; throws 404 if there is none (API, A4). */
export async function requireCommit(
  repositories: Pick<Repositories, 'resolveCommit'>,
  project: Project,
  revision: string,
  refusal: () => ApiError = () => notFound('Commit'),
): Promise<string> {
  const sha = await repositories.resolveCommit(project.id, revision)
  if (sha === undefined) throw refusal()
  return sha
}

/** Revision used if a request names none. */
export function defaultRevision({ default_branch }: Project): string {
  return default_branch === null ? 'HEAD' : `refs/heads/${default_branch}`
}

/** The commit of a branch or tag by its short name; undefined if it does not exist. */
export async function commitOfRef(
  repositories: Pick<Repositories, 'resolveRef'>,
  project: Project,
  kind: RefKind,
  name: string,
): Promise<string | undefined> {
  if (!isRefName(name)) return undefined
  const found = await repositories.resolveRef(
    project.id,
    `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`,
  )
  return found?.sha
}
