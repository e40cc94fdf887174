import { Readable } from 'node:stream'

import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import { REPORTER } from '../../access/access-levels.js'
import { may } from '../../access/access.js'
import type { Caller, Project, User } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { forbidden, notFound } from '../../http/errors.js'
import { type ApiResponse, NoBody, type Operation, operation, respond, stream } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { SortDirection } from '../../http/parameters/types.js'
import { signedIn } from '../../http/viewer.js'
import { findEvidence } from '../release-evidence.js'
import { findLatestRelease, findLinkByPath, listReleases, type ReleaseRow } from '../release-store.js'
import { createRelease, type Releaser } from './create-release.js'
import { describeReleases } from './describe-releases.js'
import { listGroupReleases } from './group-releases.js'
import { releaseLinkOperations } from './link-operations.js'
import {
  type Actor,
  collectEvidenceOf,
  deleteRelease,
  editRelease,
  type ReleaseDeps,
  releaseToDelete,
  requireRelease,
} from './releases.js'
import {
  Accepted,
  EditRelease,
  EvidenceId,
  NewRelease,
  Release,
  ReleaseFilters,
  ShownRelease,
  TagName,
} from './schema.js'

export interface ReleaseOperationsDeps extends ReleaseDeps {
  /** Public address without a trailing slash. */
  externalUrl: string
}

interface ReleaseCall {
  caller: Caller
  project: Project
  user: User | undefined
  accessLevel: number
  membership: number
}

/** Releases: tags with notes and links (API, J). */
export function releaseOperations(deps: ReleaseOperationsDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...evidence(deps), ...releaseLinkOperations(deps)]
}

function reading(deps: ReleaseOperationsDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation('GET /projects/:id/releases', {
      summary: 'List project releases',
      access: 'read_releases',
      jobToken: true,
      params: ReleaseFilters,
      responses: { 200: Type.Array(Release) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listReleases(database, call.project.id, call.params, call.paging)
        return page(await records(deps, call, rows, call.params.include_html_description), total)
      },
    }),
    ofGroup(deps),
    ...permalinks(deps),
    operation('GET /projects/:id/releases/:tag_name/downloads/*direct_asset_path', {
      summary: 'Download a release asset by its path',
      access: 'read_releases',
      jobToken: true,
      params: Type.Object({
        ...TagName.properties,
        direct_asset_path: described(Type.String(), 'Path of the link, with unencoded slashes.'),
      }),
      responses: { 302: NoBody },
      run: async ({ project, params }) => {
        const release = await requireRelease(deps, project, params.tag_name)
        const link = await findLinkByPath(database, release.id, `/${params.direct_asset_path}`)
        if (!link) throw notFound()
        return respond(302, undefined, { location: new URL(link.url).href })
      },
    }),
    operation('GET /projects/:id/releases/:tag_name', {
      summary: 'Get a release by its tag',
      access: 'read_releases',
      jobToken: true,
      params: ShownRelease,
      responses: { 200: Release },
      run: async (call) => {
        const { tag_name, include_html_description: html } = call.params
        return record(deps, call, await requireRelease(deps, call.project, tag_name), html)
      },
    }),
  ]
}

function ofGroup({ engine, pushes: { repositories }, externalUrl }: ReleaseOperationsDeps): Operation {
  const { database } = engine
  return operation('GET /groups/:id/releases', {
    summary: 'List group releases that the caller can read',
    access: 'read_group',
    params: Type.Object({ sort: described(Type.Optional(SortDirection), 'Sort order; `desc` by default.') }),
    responses: { 200: Type.Array(Release) },
    paginated: true,
    run: async ({ group, user, params, paging }) => {
      const { rows, total } = await listGroupReleases(database, group, user, params, paging)
      return page(await describeReleases({ database, repositories, externalUrl }, rows), total)
    },
  })
}

/**
 * Redirects to the latest release. The second operation redirects to a path below it, such as
 * `downloads/<path>`.
 */
function permalinks({ engine, externalUrl }: ReleaseOperationsDeps): Operation[] {
  return [
    operation('GET /projects/:id/releases/permalink/latest', {
      summary: 'Redirect to the latest release',
      access: 'read_releases',
      jobToken: true,
      responses: { 302: NoBody },
      run: ({ project, request }) => toLatest(project, '', request.url),
    }),
    operation('GET /projects/:id/releases/permalink/latest/*suffix_path', {
      summary: 'Redirect to the assets of the latest release',
      access: 'read_releases',
      jobToken: true,
      params: Type.Object({
        suffix_path: described(Type.String(), 'Path after the tag, such as `downloads/<path>`.'),
      }),
      responses: { 302: NoBody },
      run: ({ project, params, request }) => toLatest(project, encodedPath(params.suffix_path), request.url),
    }),
  ]

  async function toLatest({ id }: Project, below: string, url: string): Promise<ApiResponse> {
    const latest = await findLatestRelease(engine.database, id, Date.now())
    if (!latest) throw notFound()
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
    const path = `/api/v4/projects/${id}/releases/${encodeURIComponent(latest.tag)}${below}`
    return respond(302, undefined, { location: `${externalUrl}${path}${query}` })
  }
}

/** Encoded path with a leading slash. */
function encodedPath(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`
}

function changing(deps: ReleaseOperationsDeps): Operation[] {
  return [
    operation('POST /projects/:id/releases', {
      summary: 'Create a release; a missing tag is created',
      access: 'manage_releases',
      jobToken: true,
      params: NewRelease,
      exclusive: [['milestones', 'milestone_ids']],
      responses: { 201: Release },
      run: async (call) => {
        return record(deps, call, await createRelease(deps, call.project, releaserOf(call), call.params))
      },
    }),
    operation('PUT /projects/:id/releases/:tag_name', {
      summary: 'Update a release',
      access: 'manage_releases',
      jobToken: true,
      params: EditRelease,
      exclusive: [['milestones', 'milestone_ids']],
      responses: { 200: Release },
      run: async (call) => {
        return record(deps, call, await editRelease(deps, call.project, actorOf(call), call.params))
      },
    }),
    operation('DELETE /projects/:id/releases/:tag_name', {
      summary: 'Delete a release; its tag is kept',
      access: 'manage_releases',
      jobToken: true,
      params: TagName,
      responses: { 200: Release },
      run: async (call) => {
        const release = await releaseToDelete(deps, call.project, actorOf(call), call.params.tag_name)
        const last = await record(deps, call, release)
        await deleteRelease(deps, release)
        return last
      },
    }),
  ]
}

function evidence(deps: ReleaseOperationsDeps): Operation[] {
  const { database } = deps.engine
  return [
    operation('POST /projects/:id/releases/:tag_name/evidence', {
      summary: 'Collect a snapshot of a release',
      access: 'manage_releases',
      params: TagName,
      responses: { 202: Accepted },
      run: async (call) => {
        await collectEvidenceOf(deps, call.project, actorOf(call), call.params.tag_name)
        return respond(202, { message: '202 Accepted' })
      },
    }),
    operation('GET /projects/:id/releases/:tag_name/evidences/:evidence_id', {
      summary: 'Download a snapshot of a release',
      access: 'read_release_evidence',
      params: EvidenceId,
      responses: {
        200: Type.Unknown({ description: 'The release, its project, its milestones and their issues' }),
      },
      run: async (call) => {
        const { tag_name, evidence_id } = call.params
        if (!readsEvidence(call) || !may('read_releases', call)) throw forbidden()
        const release = await requireRelease(deps, call.project, tag_name)
        const found = await findEvidence(database, release.id, evidence_id)
        if (!found) throw notFound()
        // Sent as it is stored, because the SHA-256 is that of these bytes.
        return stream(Readable.from([Buffer.from(found.summary)]), 'application/json', {
          'content-length': String(Buffer.byteLength(found.summary)),
        })
      },
    }),
  ]
}

/** Evidence shows issues, and is for those who read code. */
function readsEvidence(call: ReleaseCall): boolean {
  return may('read_release_evidence', call) && may('read_code', call)
}

function records(
  { engine, pushes: { repositories }, externalUrl }: ReleaseOperationsDeps,
  call: ReleaseCall,
  rows: ReleaseRow[],
  showsHtml?: boolean,
): Promise<Release[]> {
  const { database } = engine
  const { project, accessLevel, membership } = call
  const showsCode = accessLevel >= REPORTER
  const showsEvidence = readsEvidence(call)
  const showsMilestones = may('read_milestones', { project, accessLevel, membership })
  return describeReleases(
    { database, repositories, externalUrl },
    rows.map((row) => ({ row, project, showsCode, showsMilestones, showsEvidence, showsHtml })),
  )
}

async function record(
  deps: ReleaseOperationsDeps,
  call: ReleaseCall,
  row: ReleaseRow,
  showsHtml?: boolean,
): Promise<Release> {
  const [found] = await records(deps, call, [row], showsHtml)
  if (!found) throw notFound()
  return found
}

/** The operations require the developer role, so the caller is a user. */
function actorOf({ caller, user, accessLevel }: ReleaseCall): Actor {
  return { user: signedIn(user), accessLevel, ...(caller.kind === 'job' && { jobId: caller.job.id }) }
}

function releaserOf(call: ReleaseCall & { reply: FastifyReply }): Releaser {
  return { ...actorOf(call), signal: clientGone(call.reply) }
}
