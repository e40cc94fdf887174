import type { Project, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { lintConfig, type LintInspection, lintWithoutCommit } from '../engine/create/lint-config.js'
import type { EngineDeps, ResolvedRef } from '../engine/engine-deps.js'
import { protectionOf } from '../engine/permissions/ref-protection.js'
import { refusalToRun } from '../engine/permissions/refusal-to-run.js'

const NO_COMMIT = '0'.repeat(40)

export interface Wanted {
  /** Absent = the committed file. */
  content?: string
  dryRun: boolean
  /** Branch or tag that a dry run is for; the default branch when absent. */
  ref?: string | undefined
  /** The commit whose file is looked at, by any name; the head of `ref` when absent. */
  revision?: string | undefined
}

/**
 * Looks at a text or at the committed file. In an empty repository only a text can be looked at: throws 404 without one. Throws
 * 404 for a ref that does not exist as well.
 */
export async function lintForProject(
  engine: EngineDeps,
  project: Project,
  { user, accessLevel }: { user: User; accessLevel: number },
  { content, dryRun, ref: wantedRef, revision }: Wanted,
): Promise<LintInspection> {
  const resolved = await resolve(engine, project, wantedRef)
  if (!resolved) {
    if (content === undefined) throw notFound('Repository')
    return lintWithoutCommit(engine, { project, user, content, dryRun })
  }
  const sha =
    revision === undefined ? resolved.sha : await engine.repositories.resolveCommit(project.id, revision)
  if (sha === undefined) throw notFound('Commit')
  return lintConfig(engine, {
    project,
    user,
    ref: resolved.ref,
    refType: resolved.type,
    sha,
    beforeSha: NO_COMMIT,
    source: 'push',
    dryRun,
    isProtected: await maySeeProtected(engine, project, resolved, { user, accessLevel }),
    ...(content !== undefined && { content }),
  })
}

/** The text may send variables anywhere: those of a protected ref are for people who may run jobs there. */
async function maySeeProtected(
  { database }: EngineDeps,
  project: Project,
  { ref, type }: ResolvedRef,
  who: { user: User; accessLevel: number },
): Promise<boolean> {
  const protection = await protectionOf(database, project.id, type, ref, who.user.id)
  return protection !== undefined && !refusalToRun({ by: 'api', project, ref, protection, ...who })
}

/** Without `ref` the default branch; undefined while that has no commit. */
async function resolve(
  { repositories }: EngineDeps,
  { id, default_branch }: Project,
  ref: string | undefined,
): Promise<ResolvedRef | undefined> {
  if (ref === undefined) {
    return default_branch === null ? undefined : repositories.resolveRef(id, `refs/heads/${default_branch}`)
  }
  const resolved = await repositories.resolveRef(id, ref)
  if (!resolved) throw notFound('Reference')
  return resolved
}
