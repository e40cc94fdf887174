import { mergeRequestRef } from '../../../git/names.js'
import { DEVELOPER } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import { invalidParameters, notFound } from '../../http/errors.js'
import {
  lintConfig,
  type LintInspection,
  type LintRequest,
  lintWithoutCommit,
} from '../engine/create/lint-config.js'
import type { EngineDeps, ResolvedRef } from '../engine/engine-deps.js'
import { findNewestOpenFrom, type MergeRequestRow } from '../engine/merge-request-store.js'
import { protectionOf } from '../engine/permissions/ref-protection.js'
import { refusalToRun } from '../engine/permissions/refusal-to-run.js'
import type { DryRunSource } from './schema.js'

const NO_COMMIT = '0'.repeat(40)

export interface Wanted {
  /** Absent = the committed file. */
  content?: string
  dryRun: boolean
  /** Branch or tag for a dry run; the default branch if absent. */
  ref?: string | undefined
  /** The commit whose file is checked, by any name; the head of `ref` if absent. */
  revision?: string | undefined
  /** The event of a dry run; `push` if absent. */
  source?: DryRunSource | undefined
  /** Whether a dry run explains its decisions. */
  explains?: boolean
  /** Values for the inputs of the file, in a dry run. */
  inputs?: LintRequest['inputs']
  /** Variables of the pipeline of a dry run. */
  variables?: LintRequest['variables']
}

/**
 * Checks a text or the committed file. An empty repository accepts only a text. Throws 404 for an empty
 * repository without a text, and for a ref that does not exist.
 */
export async function lintForProject(
  engine: EngineDeps,
  project: Project,
  { user, accessLevel }: { user: User; accessLevel: number },
  { content, dryRun, ref: wantedRef, revision, source = 'push', explains = false, ...given }: Wanted,
): Promise<LintInspection> {
  const resolved = await resolve(engine, project, wantedRef)
  if (!resolved) {
    if (content === undefined) throw notFound('Repository')
    return lintWithoutCommit(engine, { project, user, content, dryRun })
  }
  const sha =
    revision === undefined ? resolved.sha : await engine.repositories.resolveCommit(project.id, revision)
  if (sha === undefined) throw notFound('Commit')
  const about = { project, user, sha, beforeSha: NO_COMMIT, dryRun, explains, ...given }
  if (source === 'merge_request_event') {
    const mergeRequest = await openMergeRequest(engine, project, resolved, accessLevel)
    return lintConfig(engine, {
      ...about,
      source,
      mergeRequest,
      ref: mergeRequestRef(mergeRequest.iid),
      refType: 'branch',
      // Its source branch may be anyone's.
      isProtected: false,
      ...(content !== undefined && { content }),
    })
  }
  return lintConfig(engine, {
    ...about,
    source,
    ref: resolved.ref,
    refType: resolved.type,
    isProtected: await maySeeProtected(engine, project, resolved, { user, accessLevel }),
    ...(content !== undefined && { content }),
  })
}

/** Throws 400 if the branch has no open merge request into this project, or none that the caller may surely see. */
async function openMergeRequest(
  { database }: EngineDeps,
  { id }: Project,
  { ref, type }: ResolvedRef,
  accessLevel: number,
): Promise<MergeRequestRow> {
  const isFindable = type === 'branch' && accessLevel >= DEVELOPER
  const found = isFindable ? await findNewestOpenFrom(database, id, ref) : undefined
  if (!found) throw invalidParameters(`${ref} is the source branch of no open merge request`)
  return found
}

/**
 * The text may send variables anywhere, so protected variables are only for users who may run jobs on that
 * ref.
 */
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
