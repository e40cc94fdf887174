import { branchOrTag, ZERO_ID } from '../../../../git/names.js'
import { protectionOf } from '../../../ci/engine/permissions/ref-protection.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import type { PushFacts } from '../outbox/emit-push-events.js'
import { findCommit, findUser, loadProject, type PayloadDeps } from './payload-deps.js'
import { commitBlock, fullRepositoryBlock, type ProjectAround, projectBlock } from './project-blocks.js'
import { pushOptions } from './push-options.js'
import type { HookUser } from './user-block.js'

/** Maximum number of commits in a payload; the newest ones are shown (API, K2). */
const MAX_COMMITS = 20

/** `push` and `tag_push` (API, K5); undefined if the project or the pusher was deleted. */
export async function pushPayload(deps: PayloadDeps, projectId: number | null, facts: PushFacts) {
  const around = await loadProject(deps, projectId)
  const user = await findUser(deps, facts.userId)
  return around && user && describePush(deps, around, user, facts)
}

async function describePush(deps: PayloadDeps, around: ProjectAround, user: HookUser, facts: PushFacts) {
  const { ref, before, after, options } = facts
  const { id } = around.project
  const target = branchOrTag(ref)
  const kind = target?.kind === 'tag' ? 'tag_push' : 'push'
  const { commits, total } = await commitsOf(deps, around, facts)
  return {
    object_kind: kind,
    event_name: kind,
    before,
    after,
    ref,
    ref_protected: target !== undefined && (await isProtected(deps, id, target)),
    checkout_sha: after === ZERO_ID ? null : ((await deps.repositories.commitOf(id, after)) ?? null),
    message: await tagMessage(deps, id, facts),
    user_id: user.id,
    user_name: user.name,
    user_username: user.username,
    user_email: user.public_email ?? '',
    user_avatar: presentUser(user, around.externalUrl).avatar_url,
    project_id: id,
    project: projectBlock(around),
    commits,
    total_commits_count: total,
    push_options: pushOptions(options),
    repository: fullRepositoryBlock(around),
  }
}

/** `repository_update` (API, K6), once per ref; undefined if the project or the pusher was deleted. */
export async function repositoryUpdatePayload(
  deps: PayloadDeps,
  projectId: number | null,
  { userId, ref, before, after }: PushFacts,
) {
  const around = await loadProject(deps, projectId)
  const user = await findUser(deps, userId)
  if (!around || !user) return undefined
  return {
    event_name: 'repository_update',
    user_id: user.id,
    user_name: user.name,
    user_email: user.public_email ?? '',
    user_avatar: presentUser(user, around.externalUrl).avatar_url,
    project_id: around.project.id,
    project: projectBlock(around),
    changes: [{ before, after, ref }],
    refs: [ref],
  }
}

async function isProtected(
  { database }: PayloadDeps,
  projectId: number,
  { kind, name }: { kind: 'branch' | 'tag'; name: string },
): Promise<boolean> {
  return (await protectionOf(database, projectId, kind, name)) !== undefined
}

/** Message of an annotated tag. */
async function tagMessage(
  { repositories }: PayloadDeps,
  projectId: number,
  { ref, after }: PushFacts,
): Promise<string | null> {
  const target = branchOrTag(ref)
  if (target?.kind !== 'tag' || after === ZERO_ID) return null
  return (await repositories.tagMessage(projectId, target.name)) ?? null
}

/** Commits of a pushed branch; for a new branch, those that the default branch does not contain. */
async function commitsOf(
  deps: PayloadDeps,
  around: ProjectAround,
  { ref, before, after, isBrief }: PushFacts,
) {
  const { id, default_branch } = around.project
  const target = branchOrTag(ref)
  if (target?.kind !== 'branch' || after === ZERO_ID || isBrief) return { commits: [], total: 0 }
  const known =
    before !== ZERO_ID
      ? before
      : default_branch !== null && default_branch !== target.name
        ? (await deps.repositories.resolveRef(id, `refs/heads/${default_branch}`))?.sha
        : undefined
  const there = await Promise.all([after, known ?? after].map((sha) => deps.repositories.commitOf(id, sha)))
  if (there.includes(undefined)) return { commits: [], total: 0 }
  const range = { to: after, known: known === undefined ? [] : [known], most: MAX_COMMITS }
  const pushed = await deps.pushedCommits(id, range)
  const commits = await Promise.all(
    pushed.commits.map(async ({ id: sha, ...files }) => {
      const commit = await findCommit(deps, id, sha)
      return commit ? [{ ...commitBlock(commit, around), ...files }] : []
    }),
  )
  return { commits: commits.flat(), total: pushed.total }
}
