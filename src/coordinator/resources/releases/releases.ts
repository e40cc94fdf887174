import { isRefName, ZERO_ID } from '../../../git/names.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { createPipeline } from '../../engine/create/create-pipeline.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { protectionOf } from '../../engine/sources/ref-protection.js'
import { announcePush } from '../../events/outbox/announce-push.js'
import { announceRelease } from '../../events/outbox/announce-release.js'
import { ApiError, conflict, forbidden, notFound } from '../../http/errors.js'
import type { Project, User } from '../../http/operation.js'
import { newLink } from './links.js'
import type { ReleaseRepositories } from './release-repositories.js'
import type { EditRelease, NewRelease } from './schema.js'
import {
  deleteRelease,
  findRelease,
  insertLinks,
  insertRelease,
  linksOf,
  type ReleaseRow,
  updateRelease,
} from './store.js'

export interface ReleaseDeps {
  engine: EngineDeps
  repositories: ReleaseRepositories
}

/** Who asks, and how much that is in the project. */
export interface Actor {
  user: User
  accessLevel: number
}

/** Throws 404. */
export async function theRelease(
  { engine }: Pick<ReleaseDeps, 'engine'>,
  project: Project,
  tag: string,
): Promise<ReleaseRow> {
  const release = await findRelease(engine.database, project.id, tag)
  if (!release) throw new ApiError(404, { message: '404 Not Found' })
  return release
}

/**
 * Makes a release, and its tag from `ref` if there is none; a new tag gets a pipeline as if it were pushed. Throws 409 for a
 * tag that has a release, 422 for one that cannot be made and 403 for a protected one.
 */
export async function createRelease(
  deps: ReleaseDeps,
  project: Project,
  actor: Actor,
  params: NewRelease,
): Promise<ReleaseRow> {
  const { database } = deps.engine
  const { tag_name: tag } = params
  refuseMilestones(params)
  await checkMayTag(deps, project, actor, tag)
  if (await findRelease(database, project.id, tag)) throw conflict('Release already exists')
  const { sha, isNew } = await tagCommit(deps, project, actor, params)
  const now = Date.now()
  const links = params.assets?.links ?? []
  const release = await unlessTaken(deps, project, tag, () =>
    inTransaction(database, async (tx) => {
      const release = await insertRelease(tx, {
        ...{ project_id: project.id, tag, sha, author_id: actor.user.id },
        ...{ name: params.name || tag, description: params.description ?? null },
        released_at: params.released_at === undefined ? now : Date.parse(params.released_at),
        ...{ created_at: now, updated_at: now },
      })
      const stored = await insertLinks(
        tx,
        links.map((link) => newLink(release.id, link)),
      )
      if (isNew) await announceTag(tx, actor.user, release)
      await announceRelease(tx, { release, links: stored, action: 'create' })
      return release
    }),
  )
  if (isNew) await runTagPipeline(deps, project, actor.user, tag, sha)
  return release
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

export async function editRelease(
  deps: ReleaseDeps,
  project: Project,
  actor: Actor,
  params: EditRelease,
): Promise<ReleaseRow> {
  const { database } = deps.engine
  await checkMayTag(deps, project, actor, params.tag_name)
  const release = await findRelease(database, project.id, params.tag_name)
  if (!release) throw new ApiError(404, { message: 'Release does not exist' })
  refuseMilestones(params)
  const { name, description, released_at } = params
  return inTransaction(database, async (tx) => {
    const changed = await updateRelease(tx, release.id, {
      ...(name !== undefined && { name: name || release.tag }),
      ...(description !== undefined && { description }),
      ...(released_at !== undefined && { released_at: Date.parse(released_at) }),
    })
    if (!changed) throw notFound()
    await announceRelease(tx, { release: changed, links: await linksOf(tx, [changed.id]), action: 'update' })
    return changed
  })
}

/** The tag stays; the release as it was. */
export async function removeRelease(
  deps: ReleaseDeps,
  project: Project,
  actor: Actor,
  tag: string,
): Promise<ReleaseRow> {
  await checkMayTag(deps, project, actor, tag)
  const release = await theRelease(deps, project, tag)
  return release
}

export function forgetRelease({ engine }: ReleaseDeps, release: ReleaseRow): Promise<void> {
  return inTransaction(engine.database, async (tx) => {
    await announceRelease(tx, { release, links: await linksOf(tx, [release.id]), action: 'delete' })
    await deleteRelease(tx, release.id)
  })
}

/** Throws 403 for a protected tag that the user may not make. */
export async function checkMayTag(
  { engine }: Pick<ReleaseDeps, 'engine'>,
  project: Project,
  { accessLevel }: Actor,
  tag: string,
): Promise<void> {
  const protection = await protectionOf(engine.database, project.id, 'tag', tag)
  if (!protection || protection.levels.some((level) => accessLevel >= level)) return
  throw forbidden(`You are not allowed to work with the protected tag '${tag}'`)
}

async function tagCommit(
  deps: ReleaseDeps,
  project: Project,
  { user }: Actor,
  { tag_name: name, ref, tag_message: message }: NewRelease,
): Promise<{ sha: string; isNew: boolean }> {
  const { repositories } = deps
  const existing = await repositories.resolveRef(project.id, `refs/tags/${name}`)
  if (existing) return { sha: existing.sha, isNew: false }
  if (ref === undefined) throw unprocessable('Ref is not specified')
  if (!isRefName(name)) throw unprocessable('Tag name invalid')
  const sha = await repositories.resolveCommit(project.id, ref)
  if (sha === undefined) throw unprocessable(`Target ${ref} is invalid`)
  const tagger = { name: user.name, email: user.email }
  if (await repositories.createTag(project.id, { name, sha, message, tagger })) return { sha, isNew: true }
  // Somebody else was faster.
  const made = await repositories.resolveRef(project.id, `refs/tags/${name}`)
  return { sha: made?.sha ?? sha, isNew: false }
}

/** As if the tag were pushed. */
function announceTag(
  tx: Transaction,
  { id: userId }: User,
  { project_id, tag, sha }: ReleaseRow,
): Promise<void> {
  return announcePush(tx, project_id, {
    ...{ ref: `refs/tags/${tag}`, before: ZERO_ID, after: sha },
    ...{ userId, options: [] },
  })
}

/**
 * As if the tag were pushed; its jobs know of the release. A refusal (there is no CI file, for instance) is an answer, not an
 * error, and what fails does not undo the release.
 */
async function runTagPipeline(
  { engine }: ReleaseDeps,
  project: Project,
  user: User,
  ref: string,
  sha: string,
): Promise<void> {
  try {
    await createPipeline(engine, {
      ...{ project, user, ref, sha },
      ...{ refType: 'tag', beforeSha: ZERO_ID, source: 'push' },
    })
  } catch (error) {
    engine.logger.error({ err: error, project: project.id, tag: ref }, 'A new tag got no pipeline')
  }
}

function refuseMilestones({
  milestones = [],
  milestone_ids = [],
}: Pick<NewRelease, 'milestones' | 'milestone_ids'>): void {
  const named = [...milestones, ...milestone_ids]
  if (named.length === 0) return
  throw new ApiError(400, { message: `Milestone(s) not found: ${named.join(', ')}` })
}

function unprocessable(message: string): ApiError {
  return new ApiError(422, { message })
}
