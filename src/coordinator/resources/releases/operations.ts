import { Type } from 'typebox'

import { notFound, unauthorized } from '../../http/errors.js'
import { answer, type Operation, operation, page, type Project, type User } from '../../http/operation.js'
import { describeReleases } from './describe-releases.js'
import { linkOperations } from './link-operations.js'
import {
  type Actor,
  createRelease,
  editRelease,
  forgetRelease,
  type ReleaseDeps,
  removeRelease,
  theRelease,
} from './releases.js'
import { EditRelease, NewRelease, Release, ReleaseFilters, TagName } from './schema.js'
import { findLatestRelease, listReleases, type ReleaseRow } from './store.js'

export interface ReleaseOperationsDeps extends ReleaseDeps {
  /** Public address without a trailing slash. */
  externalUrl: string
}

interface Asking {
  project: Project
  user: User | undefined
  accessLevel: number
}

const REPORTER = 20
const ALL = '/projects/:id/releases'
const ONE = `${ALL}/:tag_name` as const

/** Tags with notes and links (API gaps, part J). */
export function releaseOperations(deps: ReleaseOperationsDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...linkOperations(deps)]
}

function reading(deps: ReleaseOperationsDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation(`GET ${ALL}`, {
      summary: 'List the releases of a project',
      access: 'read_releases',
      jobToken: true,
      params: ReleaseFilters,
      answers: { 200: Type.Array(Release) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listReleases(database, call.project.id, call.params, call.paging)
        return page(await records(deps, call, rows), total)
      },
    }),
    operation(`GET ${ALL}/permalink/latest`, {
      summary: 'Lead to the latest release',
      access: 'read_releases',
      jobToken: true,
      answers: { 302: Type.Null() },
      run: async (call) => {
        const { project } = call
        const latest = await findLatestRelease(database, project.id, Date.now())
        if (!latest) throw notFound()
        const path = `/api/v4/projects/${project.id}/releases/${encodeURIComponent(latest.tag)}`
        return answer(302, undefined, { location: `${deps.externalUrl}${path}` })
      },
    }),
    operation(`GET ${ONE}`, {
      summary: 'Show the release of a tag',
      access: 'read_releases',
      jobToken: true,
      params: TagName,
      answers: { 200: Release },
      run: async (call) => {
        return record(deps, call, await theRelease(deps, call.project, call.params.tag_name))
      },
    }),
  ]
}

function changing(deps: ReleaseOperationsDeps): Operation[] {
  return [
    operation(`POST ${ALL}`, {
      summary: 'Release a tag, which is made if there is none',
      access: 'manage_releases',
      jobToken: true,
      params: NewRelease,
      answers: { 201: Release },
      run: async (call) => {
        return record(deps, call, await createRelease(deps, call.project, actorOf(call), call.params))
      },
    }),
    operation(`PUT ${ONE}`, {
      summary: 'Change a release',
      access: 'manage_releases',
      jobToken: true,
      params: EditRelease,
      answers: { 200: Release },
      run: async (call) => {
        return record(deps, call, await editRelease(deps, call.project, actorOf(call), call.params))
      },
    }),
    operation(`DELETE ${ONE}`, {
      summary: 'Delete a release; its tag stays',
      access: 'manage_releases',
      jobToken: true,
      params: TagName,
      answers: { 200: Release },
      run: async (call) => {
        const release = await removeRelease(deps, call.project, actorOf(call), call.params.tag_name)
        const last = await record(deps, call, release)
        await forgetRelease(deps, release)
        return last
      },
    }),
  ]
}

function records(
  { engine, repositories, externalUrl }: ReleaseOperationsDeps,
  { project, accessLevel }: Asking,
  rows: ReleaseRow[],
): Promise<Release[]> {
  const { database } = engine
  return describeReleases({ database, repositories, externalUrl }, project, rows, accessLevel >= REPORTER)
}

async function record(deps: ReleaseOperationsDeps, call: Asking, row: ReleaseRow): Promise<Release> {
  const [found] = await records(deps, call, [row])
  if (!found) throw notFound()
  return found
}

/** Developers are users: nobody without a credential gets here. */
function actorOf({ user, accessLevel }: Asking): Actor {
  if (!user) throw unauthorized()
  return { user, accessLevel }
}
