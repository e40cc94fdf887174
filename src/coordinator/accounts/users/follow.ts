import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { apiError } from '../../http/errors.js'
import {
  type ApiResponse,
  NoBody,
  type Operation,
  operation,
  respond,
  type Route,
} from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { countAround } from '../../http/paging/list-rows.js'
import { presentUser as presentPublicUser, PublicUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { UserId } from './record/schema.js'
import { existingUser, refusePrivateProfile, type UserDeps } from './users.js'

/** Followers of users (API, H). */
export function followOperations(deps: UserDeps): Operation[] {
  const { database } = deps
  return [
    operation('POST /users/:id/follow', {
      summary: 'Follow a user',
      access: 'user',
      params: UserId,
      responses: { 201: PublicUser, 304: NoBody },
      run: async ({ params, user }) => follow(deps, user, params.id),
    }),
    operation('POST /users/:id/unfollow', {
      summary: 'Unfollow a user',
      access: 'user',
      params: UserId,
      responses: { 201: PublicUser, 304: NoBody },
      run: async ({ params, user }) => unfollow(deps, user, params.id),
    }),
    list('GET /users/:id/followers', 'followers', 'List the followers of a user'),
    list('GET /users/:id/following', 'following', 'List the users that a user follows'),
  ]

  function list(route: Route, name: 'followers' | 'following', summary: string): Operation {
    return operation(route, {
      summary,
      access: 'user',
      scopes: ['read_user'],
      params: UserId,
      responses: { 200: Type.Array(PublicUser) },
      paginated: true,
      run: async ({ params, user, paging }) => {
        await refusePrivateProfile(database, params.id, user)
        return peopleAround(deps, name, params.id, paging)
      },
    })
  }
}

async function follow({ database, externalUrl }: UserDeps, user: User, id: number): Promise<ApiResponse> {
  const followed = await existingUser(database, id)
  if (id === user.id) throw apiError('follows_itself')
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('user_follow')
    .values({ follower_id: user.id, followed_id: id, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
    ? respond(201, presentPublicUser(followed, externalUrl))
    : respond(304)
}

async function unfollow({ database, externalUrl }: UserDeps, user: User, id: number): Promise<ApiResponse> {
  const followed = await existingUser(database, id)
  const { numDeletedRows } = await database
    .deleteFrom('user_follow')
    .where('follower_id', '=', user.id)
    .where('followed_id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n ? respond(201, presentPublicUser(followed, externalUrl)) : respond(304)
}

async function peopleAround(
  { database, externalUrl }: UserDeps,
  name: 'followers' | 'following',
  id: number,
  paging: Paging,
): Promise<Page> {
  const [theirs, others] =
    name === 'followers'
      ? (['followed_id', 'follower_id'] as const)
      : (['follower_id', 'followed_id'] as const)
  const matching = database.selectFrom('user_follow').where(theirs, '=', id)
  // The index of pairs gives the page first; then only its users are read.
  const pairs = await matching
    .select(['follower_id', 'followed_id'])
    .orderBy(others, 'desc')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  const users = await usersById(
    database,
    pairs.map((pair) => pair[others]),
  )
  const people = pairs.flatMap((pair) => users.get(pair[others]) ?? [])
  return page(
    people.map((user) => presentPublicUser(user, externalUrl)),
    await countAround(database, matching, paging, pairs.length),
  )
}
