import { Type } from 'typebox'

import type { Project, User } from '../../access/caller.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { type LinkRow, listLinks, type ReleaseRow } from '../release-store.js'
import { presentLink } from './describe-releases.js'
import { createReleaseLink, deleteReleaseLink, editLink, requireReleaseLink } from './links.js'
import { checkMayTag, type ReleaseDeps, requireRelease } from './releases.js'
import { EditLink, LinkId, NewLink, ReleaseLink, TagName } from './schema.js'

interface Deps extends ReleaseDeps {
  externalUrl: string
}

interface LinkCall {
  project: Project
  user: User | undefined
  accessLevel: number
}

/** Links of releases to external assets (API, J). */
export function releaseLinkOperations(deps: Deps): Operation[] {
  const { database } = deps.engine
  const present = (project: Project, link: LinkRow, { tag }: ReleaseRow) =>
    presentLink(link, { project, externalUrl: deps.externalUrl }, tag)
  return [
    operation('GET /projects/:id/releases/:tag_name/assets/links', {
      summary: 'List links of a release',
      access: 'read_releases',
      jobToken: true,
      params: TagName,
      responses: { 200: Type.Array(ReleaseLink) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const release = await requireRelease(deps, project, params.tag_name)
        const { rows, total } = await listLinks(database, release.id, paging)
        return page(
          rows.map((link) => present(project, link, release)),
          total,
        )
      },
    }),
    operation('GET /projects/:id/releases/:tag_name/assets/links/:link_id', {
      summary: 'Get a link of a release',
      access: 'read_releases',
      jobToken: true,
      params: LinkId,
      responses: { 200: ReleaseLink },
      run: async (call) => {
        const release = await requireRelease(deps, call.project, call.params.tag_name)
        return present(
          call.project,
          await requireReleaseLink(database, release, call.params.link_id),
          release,
        )
      },
    }),
    operation('POST /projects/:id/releases/:tag_name/assets/links', {
      summary: 'Create a link of a release',
      access: 'manage_releases',
      jobToken: true,
      params: NewLink,
      responses: { 201: ReleaseLink },
      run: async (call) => {
        const release = await changeable(deps, call, call.params.tag_name)
        return present(call.project, await createReleaseLink(database, release, call.params), release)
      },
    }),
    operation('PUT /projects/:id/releases/:tag_name/assets/links/:link_id', {
      summary: 'Update a link of a release',
      access: 'manage_releases',
      jobToken: true,
      params: EditLink,
      atLeastOne: [['name', 'url']],
      responses: { 200: ReleaseLink },
      run: async (call) => {
        const release = await changeable(deps, call, call.params.tag_name)
        return present(call.project, await editLink(database, release, call.params), release)
      },
    }),
    operation('DELETE /projects/:id/releases/:tag_name/assets/links/:link_id', {
      summary: 'Delete a link of a release',
      access: 'manage_releases',
      jobToken: true,
      params: LinkId,
      responses: { 200: ReleaseLink },
      run: async (call) => {
        const release = await changeable(deps, call, call.params.tag_name)
        return present(call.project, await deleteReleaseLink(database, release, call.params.link_id), release)
      },
    }),
  ]
}

async function changeable(deps: Deps, call: LinkCall, tag: string): Promise<ReleaseRow> {
  const { project, user, accessLevel } = call
  await checkMayTag(deps, project, { user: signedIn(user), accessLevel }, tag)
  return requireRelease(deps, project, tag)
}
