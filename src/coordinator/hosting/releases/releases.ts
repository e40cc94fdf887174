import type { Project, User } from '../../access/caller.js'
import type { EngineDeps } from '../../ci/engine/engine-deps.js'
import { protectionOf } from '../../ci/engine/permissions/ref-protection.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { checkRoom } from '../../http/check-room.js'
import { type ApiError, apiError, notFound } from '../../http/errors.js'
import { emitReleaseEvent } from '../../integrations/webhooks/outbox/emit-release-event.js'
import { milestonesForProject, setMilestonesOfRelease } from '../milestone-store.js'
import { collectEvidence, evidencesOf, followReleaseTime } from '../release-evidence.js'
import {
  deleteReleaseRow,
  findRelease,
  linksOfReleases,
  lockRelease,
  type ReleaseRow,
  updateRelease,
} from '../release-store.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import type { EditRelease, NewRelease } from './schema.js'

export interface ReleaseDeps {
  engine: EngineDeps
  /** Services to create tags. */
  pushes: PushDeps
}

/** The caller and their access level in the project. */
export interface Actor {
  user: User
  accessLevel: number
  /** ID of the job whose token authenticates the request. */
  jobId?: number
}

/** Throws 404. */
export async function requireRelease(
  { engine }: Pick<ReleaseDeps, 'engine'>,
  project: Project,
  tag: string,
): Promise<ReleaseRow> {
  const release = await findRelease(engine.database, project.id, tag)
  if (!release) throw apiError('release_not_found')
  return release
}

export async function editRelease(
  deps: ReleaseDeps,
  project: Project,
  actor: Actor,
  params: EditRelease,
): Promise<ReleaseRow> {
  const { database } = deps.engine
  await checkMayTag(deps, project, actor, params.tag_name)
  const release = await findRelease(database, project.id, params.tag_name)
  if (!release) throw apiError('release_missing')
  const milestones = await milestonesNamed(database, project, params)
  const { name, description, released_at } = params
  return inTransaction(database, async (tx) => {
    const changed = await updateRelease(tx, release.id, {
      ...(name !== undefined && { name: name || release.tag }),
      ...(description !== undefined && { description }),
      ...(released_at !== undefined && { released_at: Date.parse(released_at) }),
    })
    if (!changed) throw notFound()
    if (milestones) await setMilestonesOfRelease(tx, changed.id, milestones)
    if (released_at !== undefined) await followReleaseTime(tx, changed)
    await emitReleaseEvent(tx, {
      release: changed,
      links: await linksOfReleases(tx, [changed.id]),
      action: 'update',
    })
    return changed
  })
}

/** Maximum number of snapshots of one release. */
const MAX_EVIDENCES = 100

/** Collects another snapshot of an existing release. Throws 403, 404, and 422 for too many. */
export async function collectEvidenceOf(
  deps: ReleaseDeps,
  project: Project,
  actor: Actor,
  tag: string,
): Promise<void> {
  const { database } = deps.engine
  await checkMayTag(deps, project, actor, tag)
  const { id } = await requireRelease(deps, project, tag)
  const limit = { most: MAX_EVIDENCES, what: 'evidences', code: 'evidence_limit_reached' } as const
  await checkRoom(evidencesOf(database, id), limit)
  await inTransaction(database, async (tx) => {
    const release = await lockRelease(tx, id)
    if (!release) throw notFound()
    await collectEvidence(tx, release, deps.engine.server.externalUrl)
  })
}

/** Deletes the release and returns it; the tag is kept. */
export async function releaseToDelete(
  deps: ReleaseDeps,
  project: Project,
  actor: Actor,
  tag: string,
): Promise<ReleaseRow> {
  await checkMayTag(deps, project, actor, tag)
  const release = await requireRelease(deps, project, tag)
  return release
}

export function deleteRelease({ engine }: ReleaseDeps, release: ReleaseRow): Promise<void> {
  return inTransaction(engine.database, async (tx) => {
    await emitReleaseEvent(tx, { release, links: await linksOfReleases(tx, [release.id]), action: 'delete' })
    await deleteReleaseRow(tx, release.id)
  })
}

/** Throws 403 for a protected tag that the user may not create. */
export async function checkMayTag(
  { engine }: Pick<ReleaseDeps, 'engine'>,
  project: Project,
  { user, accessLevel }: Actor,
  tag: string,
): Promise<void> {
  const protection = await protectionOf(engine.database, project.id, 'tag', tag, user.id)
  if (!protection || protection.levels.some((level) => accessLevel >= level)) return
  throw apiError('tag_protected', { tag })
}

/**
 * IDs of the named milestones, which belong to the project or to groups above it; undefined if the request names
 * none, not even an empty list. Throws 400 for unknown ones.
 */
export async function milestonesNamed(
  database: Database,
  { id }: Project,
  { milestones: titles, milestone_ids: ids }: Pick<NewRelease, 'milestones' | 'milestone_ids'>,
): Promise<number[] | undefined> {
  if (titles) {
    const found = await milestonesForProject(database, id, { titles })
    const unknown = titles.filter((title) => !found.some((row) => row.title === title))
    if (unknown.length > 0) throw unknownMilestones('Milestone(s)', unknown)
    return found.map((row) => row.id)
  }
  if (ids) {
    const found = await milestonesForProject(database, id, { ids })
    const unknown = ids.filter((wanted) => !found.some((row) => row.id === wanted))
    if (unknown.length > 0) throw unknownMilestones('Milestone id(s)', unknown)
    return found.map((row) => row.id)
  }
  return undefined
}

function unknownMilestones(what: string, unknown: (string | number)[]): ApiError {
  return apiError('release_milestones_not_found', { what, unknown: unknown.join(', ') })
}
