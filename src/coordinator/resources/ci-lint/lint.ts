import { lintConfig, type LintInspection } from '../../engine/create/lint-config.js'
import type { EngineDeps, ResolvedRef } from '../../engine/engine-deps.js'
import { protectionOf } from '../../engine/sources/ref-protection.js'
import { refusalToRun } from '../../engine/sources/refusal-to-run.js'
import { notFound } from '../../http/errors.js'
import type { Project, User } from '../../http/operation.js'

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

/** Looks at a text or at the committed file. Throws 404 for an empty repository, and for a ref that is not there. */
export async function lintForProject(
  engine: EngineDeps,
  project: Project,
  { user, accessLevel }: { user: User; accessLevel: number },
  { content, dryRun, ref: wantedRef, revision }: Wanted,
): Promise<LintInspection> {
  const ref = wantedRef ?? project.default_branch
  if (ref === null) throw notFound('Repository')
  const resolved = await resolve(engine, project, ref)
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

async function resolve(engine: EngineDeps, project: Project, ref: string): Promise<ResolvedRef> {
  const resolved = await engine.repositories.resolveRef(project.id, ref)
  if (!resolved) throw notFound('Reference')
  return resolved
}
