import { ZERO_ID } from '../../../git/names.js'
import { deferred } from '../../../lib/deferred.js'
import type { Project } from '../../access/caller.js'
import { inTransaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { ApiError, conflict, forbidden } from '../../http/errors.js'
import { emitReleaseEvent } from '../../integrations/webhooks/outbox/emit-release-event.js'
import { changeRefs } from '../repositories/change/change-refs.js'
import { RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import { writeTagObject } from '../repositories/change/write-tag-object.js'
import { problemOfNewRef } from '../repositories/new-ref-problem.js'
import { newLink } from './links.js'
import { type Actor, checkMayTag, refuseMilestones, type ReleaseDeps } from './releases.js'
import type { NewRelease } from './schema.js'
import { findRelease, insertLinks, insertRelease, type LinkRow, linksOf, type ReleaseRow } from './store.js'

/** Who may make a tag with the release. */
export interface Releaser extends Actor {
  /** Aborts when whoever asks has gone. */
  signal: AbortSignal
}

/**
 * Makes a release, and its tag from `ref` if there is none; a new tag gets a pipeline as if it were pushed, whose jobs know of
 * the release. A job that asks for what it has made already gets it again: its first answer was lost. Throws 409 for a tag
 * that has another release, 422 for one that cannot be made and 403 for a protected one.
 */
export async function createRelease(
  deps: ReleaseDeps,
  project: Project,
  actor: Releaser,
  params: NewRelease,
): Promise<ReleaseRow> {
  refuseMilestones(params)
  await checkMayTag(deps, project, actor, params.tag_name)
  const existing = await findRelease(deps.engine.database, project.id, params.tag_name)
  if (existing) return madeBefore(deps, existing, actor, params)
  const sha = await commitOfTag(deps, project, params.tag_name)
  return sha === undefined
    ? releaseNewTag(deps, project, actor, params)
    : storeRelease(deps, project, actor, params, sha)
}

/** The release if this very job made it just so; throws 409 else. */
async function madeBefore(
  { engine }: ReleaseDeps,
  release: ReleaseRow,
  { jobId }: Actor,
  params: NewRelease,
): Promise<ReleaseRow> {
  if (jobId === undefined || release.job_id !== jobId) throw conflict('Release already exists')
  const links = await linksOf(engine.database, [release.id])
  if (!isAsAsked(release, links, params)) throw conflict('Release already exists')
  return release
}

function isAsAsked(release: ReleaseRow, links: LinkRow[], params: NewRelease): boolean {
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
  actor: Actor,
  params: NewRelease,
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
    if (await findRelease(engine.database, project.id, tag)) throw conflict('Release already exists')
    throw new ApiError(400, { message: 'Links of a release differ in name, url and filepath' })
  }
}

function commitOfTag({ pushes }: ReleaseDeps, project: Project, name: string): Promise<string | undefined> {
  return pushes.repositories.resolveCommit(project.id, `refs/tags/${name}`)
}

/** The tag is recorded as a push is: a coordinator that dies on the way leaves none without its pipeline. */
async function releaseNewTag(
  deps: ReleaseDeps,
  project: Project,
  actor: Releaser,
  params: NewRelease,
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
    if (error instanceof RefsRefusedError) throw forbidden(error.message)
    if (!(error instanceof RefsMovedError)) throw error
    // Somebody else was faster.
    const theirs = await commitOfTag(deps, project, name)
    if (theirs === undefined) throw unprocessable('Tag name invalid')
    return storeRelease(deps, project, actor, params, theirs)
  }
}

function unprocessable(message: string): ApiError {
  return new ApiError(422, { message })
}
