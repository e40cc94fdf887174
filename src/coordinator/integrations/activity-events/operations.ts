import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { notFound } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { viewerOf } from '../../http/viewer.js'
import { describeEvents, type EventDeps } from './describe-events.js'
import { Event, ListEvents, ListEventsOfUser, ListOwnEvents } from './schema.js'
import { type ActivityFilter, isProfilePrivate, listActivity } from './store.js'

export interface EventOperationDeps extends EventDeps {
  /** Finds a user by ID or username. */
  findUser: (idOrName: string) => Promise<User | undefined>
}

interface Asked {
  paging: Paging
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

const list = { responses: { 200: Type.Array(Event) }, paginated: true } as const

/** Activity of users (API, G8). Other parts of the coordinator record the events. */
export function eventOperations(deps: EventOperationDeps): Operation[] {
  return [
    operation('GET /events', {
      summary: 'List events of the caller or of their projects',
      access: 'user',
      scopes: ['read_user'],
      params: ListOwnEvents,
      ...list,
      run: ({ user, params: { scope, ...filter }, paging, reply }) => {
        const whose = scope === 'all' ? { ofMember: true } : { authorId: user.id }
        return listed(deps, { ...filter, ...whose }, user, { paging, signal: clientGone(reply) })
      },
    }),
    operation('GET /users/:user_id/events', {
      summary: 'List events of a user that the caller can see',
      access: 'anyone',
      scopes: ['read_user'],
      params: ListEventsOfUser,
      ...list,
      run: ({ caller, params: { user_id, ...filter }, paging, reply }) =>
        eventsOfUser(deps, user_id, filter, viewerOf(caller), { paging, signal: clientGone(reply) }),
    }),
    operation('GET /projects/:id/events', {
      summary: 'List project events',
      access: 'read_project',
      params: ListEvents,
      ...list,
      run: ({ user, project, params, paging, reply }) =>
        listed(deps, { ...params, projectId: project.id }, user, { paging, signal: clientGone(reply) }),
    }),
    operation('GET /groups/:id/events', {
      summary: 'List events of the projects of a group and its subgroups that the caller can see',
      access: 'read_group',
      params: ListEvents,
      ...list,
      run: ({ user, group, params, paging, reply }) =>
        listed(deps, { ...params, groupId: group.id }, user, { paging, signal: clientGone(reply) }),
    }),
  ]
}

/** Throws 404 for an unknown user. A private profile has no events for other users. */
async function eventsOfUser(
  deps: EventOperationDeps,
  idOrName: string,
  filter: ListEvents,
  viewer: User | undefined,
  asked: Asked,
): Promise<Page> {
  const author = await deps.findUser(idOrName)
  if (!author) throw notFound('User')
  const maySeeAll = viewer !== undefined && (viewer.is_admin || viewer.id === author.id)
  if (!maySeeAll && (await isProfilePrivate(deps.database, author.id))) return page([], 0)
  return listed(deps, { ...filter, authorId: author.id }, viewer, asked)
}

async function listed(
  deps: EventOperationDeps,
  filter: ActivityFilter,
  viewer: User | undefined,
  { paging, signal }: Asked,
): Promise<Page> {
  const { rows, total } = await listActivity(deps.database, filter, viewer, paging)
  return page(await describeEvents(deps, rows, signal), total)
}
