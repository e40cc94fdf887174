import { Type } from 'typebox'

import type { Group, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { described } from '../../http/parameters/described.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { signedIn } from '../../http/viewer.js'
import { Epic, RelatedEpic } from './epic-schema.js'
import { requireEpic } from './epics.js'
import { createEpicLink, type LinkedEpics, linkTypeFrom, listEpicLinks, removeEpicLink } from './links.js'
import { type PresentDeps, presentEpics } from './present.js'
import { ByIid, ByLink, CreateEpicLink, EpicLinkType } from './schema.js'

const EpicLink = Type.Object({
  id: described(Type.Integer(), 'ID of the link.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  link_type: described(EpicLinkType, 'What the first epic does to the second one.'),
  source_epic: described(Epic, 'Epic of the path.'),
  target_epic: described(Epic, 'The other epic.'),
})

/** Links between epics (API, F5). */
export function epicLinkOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /groups/:id/epics/:epic_iid/related_epics', {
      summary: 'List the epics that are linked to an epic',
      access: 'read_epics',
      params: ByIid,
      responses: { 200: Type.Array(RelatedEpic) },
      paginated: true,
      run: async ({ group, user, params, paging: { offset, perPage } }) => {
        const source = await requireEpic(database, group.id, params.epic_iid)
        const linked = await listEpicLinks(database, source, user)
        const shown = linked.slice(offset, offset + perPage)
        return page(await related(deps, { group, user }, shown), linked.length)
      },
    }),
    operation('POST /groups/:id/epics/:epic_iid/related_epics', {
      summary: 'Link an epic to another one',
      access: 'manage_epics',
      params: CreateEpicLink,
      responses: { 201: EpicLink },
      run: async (call) => {
        const scope = { groupId: call.group.id, user: signedIn(call.user) }
        return record(deps, call, await createEpicLink(database, scope, call.params))
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_iid/related_epics/:related_epic_link_id', {
      summary: 'Delete a link of an epic',
      access: 'manage_epics',
      params: ByLink,
      responses: { 200: EpicLink },
      run: async (call) => {
        const scope = { groupId: call.group.id, user: signedIn(call.user) }
        return record(deps, call, await removeEpicLink(database, scope, call.params))
      },
    }),
  ]
}

interface Viewing {
  group: Group
  user: User | undefined
}

async function related(deps: PresentDeps, { group, user }: Viewing, linked: readonly LinkedEpics[]) {
  const epics = linked.map(({ target }) => target)
  const records = await presentEpics(deps, { groupId: group.id, viewer: user }, epics)
  return linked.map(({ link, source }, index) => ({
    ...records[index],
    related_epic_link_id: link.id,
    link_type: linkTypeFrom(link, source.id),
    link_created_at: isoTime(link.created_at),
    link_updated_at: isoTime(link.updated_at),
  }))
}

async function record(deps: PresentDeps, { group, user }: Viewing, { link, source, target }: LinkedEpics) {
  const origin = { groupId: group.id, viewer: user }
  const [source_epic, target_epic] = await presentEpics(deps, origin, [source, target])
  if (!source_epic || !target_epic) throw notFound()
  return {
    id: link.id,
    created_at: isoTime(link.created_at),
    updated_at: isoTime(link.updated_at),
    link_type: linkTypeFrom(link, source.id),
    source_epic,
    target_epic,
  }
}
