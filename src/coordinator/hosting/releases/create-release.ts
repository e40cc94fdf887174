import { ZERO_ID } from '../../../git/names.js'
import { deferred } from '../../../lib/deferred.js'
import type { Project } from '../../access/caller.js'
import { inTransaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { type ApiError, apiError } from '../../http/errors.js'
import { storeNotice } from '../../integrations/mail/notice-store.js'
import { emitReleaseEvent } from '../../integrations/webhooks/outbox/emit-release-event.js'
import { milestonesOfReleases, setMilestonesOfRelease } from '../milestone-store.js'
import { collectFirstEvidence } from '../release-evidence.js'
import {
  findRelease,
  insertLinks,
  insertRelease,
  type LinkRow,
  linksOfReleases,
  type ReleaseRow,
} from '../release-store.js'
import { changeRefs } from '../repositories/change/change-refs.js'
import { RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import { writeTagObject } from '../repositories/change/write-tag-object.js'
import { problemOfNewRef } from '../repositories/new-ref-problem.js'
import { newLink } from './links.js'
import { type Actor, checkMayTag, milestonesNamed, type ReleaseDeps } from './releases.js'
import type { NewRelease } from './schema.js'

/** The caller who creates a release, and its tag if needed. */
export interface Releaser extends Actor {
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Whether the release was made elsewhere before: nobody is notified. */
  isImport?: boolean
}

/**
 * Creates a release, and its tag from `ref` if the tag does not exist. A new tag starts a pipeline like a
 * pushed one, and its jobs see the release. A job that repeats its own request gets the existing release,
 * because the first response may have been lost. Throws 409 for a tag with another release, 422 for a tag that
 * cannot be created and 403 for a protected one.
 */
export async function createRelease(
  deps: ReleaseDeps,
  project: Project,
  actor: Releaser,
  params: NewRelease,
): Promise<ReleaseRow> {
  const { database } = deps.engine
  const milestoneIds = (await milestonesNamed(database, project, params)) ?? []
  const wanted = { ...params, milestoneIds }
  await checkMayTag(deps, project, actor, params.tag_name)
  const existing = await findRelease(database, project.id, params.tag_name)
  if (existing) return madeBefore(deps, existing, actor, wanted)
  const sha = await commitOfTag(deps, project, params.tag_name)
  return sha === undefined
    ? releaseNewTag(deps, project, actor, wanted)
    : storeRelease(deps, project, actor, wanted, sha)
}

type WantedRelease = NewRelease & { milestoneIds: number[] }

/** Returns the release if the same job created it with the same values; otherwise throws 409. */
async function madeBefore(
  { engine }: ReleaseDeps,
  release: ReleaseRow,
  { jobId }: Actor,
  params: WantedRelease,
): Promise<ReleaseRow> {
  if (jobId === undefined || release.job_id !== jobId) throw apiError('release_exists')
  const { database } = engine
  const links = await linksOfReleases(database, [release.id])
  const milestones = (await milestonesOfReleases(database, [release.id])).get(release.id) ?? []
  const isSame = hasSameNumbers(
    milestones.map(({ id }) => id),
    params.milestoneIds,
  )
  if (!isSame || !isAsAsked(release, links, params)) throw apiError('release_exists')
  return release
}

function hasSameNumbers(some: number[], others: number[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}

function isAsAsked(release: ReleaseRow, links: LinkRow[], params: WantedRelease): boolean {
  const { tag_name, name, description, released_at, assets } = params
  const wanted = (assets?.links ?? []).map((link) => newLink(release.id, link))
  return (
    release.name === (name || tag_name) &&
    release.description === (description ?? null) &&
    (released_at === undefined || release.released_at === Date.parse(released_at)) &&
    links.length === wanted.length &&
    wanted.every(({ name, url, filepath, link_type }) =>
      links.some(
        (link) =>
          link.name === name &&
          link.url === url &&
          link.filepath === filepath &&
          link.link_type === link_type,
      ),
    )
  )
}

async function storeRelease(
  deps: ReleaseDeps,
  project: Project,
  actor: Releaser,
  params: WantedRelease,
  sha: string,
): Promise<ReleaseRow> {
  const { database } = deps.engine
  const { tag_name: tag, assets } = params
  const now = Date.now()
  return unlessTaken(deps, project, tag, () =>
    inTransaction(database, async (tx) => {
      const release = await insertRelease(tx, {
        project_id: project.id,
        tag,
        sha,
        author_id: actor.user.id,
        job_id: actor.jobId ?? null,
        name: params.name || tag,
        description: params.description ?? null,
        released_at: params.released_at === undefined ? now : Date.parse(params.released_at),
        created_at: now,
        updated_at: now,
      })
      const links = await insertLinks(
        tx,
        (assets?.links ?? []).map((link) => newLink(release.id, link)),
      )
      await setMilestonesOfRelease(tx, release.id, params.milestoneIds)
      await collectFirstEvidence(tx, release, deps.engine.server.externalUrl)
      if (actor.isImport) return release
      await storeNotice(tx, 'release', release.project_id, { id: release.id })
      await emitReleaseEvent(tx, { release, links, action: 'create' })
      return release
    }),
  )
}

async function unlessTaken<T>(
  { engine }: ReleaseDeps,
  project: Project,
  tag: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    if (await findRelease(engine.database, project.id, tag)) throw apiError('release_exists')
    throw apiError('release_links_ambiguous')
  }
}

function commitOfTag({ pushes }: ReleaseDeps, project: Project, name: string): Promise<string | undefined> {
  return pushes.repositories.resolveCommit(project.id, `refs/tags/${name}`)
}

/**
 * The tag is recorded like a push. If the coordinator stops in between, the pipeline of the tag is still
 * created later.
 */
async function releaseNewTag(
  deps: ReleaseDeps,
  project: Project,
  actor: Releaser,
  params: WantedRelease,
): Promise<ReleaseRow> {
  const { tag_name: name, ref, tag_message: message } = params
  const { repositories } = deps.pushes
  const changer = { ...actor, project }
  if (ref === undefined) throw unprocessable('Ref is not specified')
  const problem = problemOfNewRef('tag', name)
  if (problem !== undefined) throw unprocessable(problem)
  const sha = await repositories.resolveCommit(project.id, ref)
  if (sha === undefined) throw unprocessable(`Target ${ref} is invalid`)
  const { user: tagger } = actor
  const after = message ? await writeTagObject(deps.pushes, changer, { name, sha, message, tagger }) : sha
  const change = { ref: `refs/tags/${name}`, before: ZERO_ID, after }
  const made = deferred<ReleaseRow>()
  try {
    await changeRefs(deps.pushes, changer, [change], async () => {
      made.resolve(await storeRelease(deps, project, actor, params, sha))
    })
    return await made.promise
  } catch (error) {
    if (error instanceof RefsRefusedError) throw apiError('ref_change_forbidden', { reason: error.message })
    if (!(error instanceof RefsMovedError)) throw error
    // Another request has just created the tag.
    const theirs = await commitOfTag(deps, project, name)
    if (theirs === undefined) throw unprocessable('Tag name invalid')
    return storeRelease(deps, project, actor, params, theirs)
  }
}

function unprocessable(reason: string): ApiError {
  return apiError('release_refused', { reason })
}
