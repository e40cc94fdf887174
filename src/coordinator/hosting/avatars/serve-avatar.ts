import type { FastifyReply, FastifyRequest } from 'fastify'

import { requestAddress } from '../../../lib/request-address.js'
import { PICTURE_HEADERS } from './avatar-parameter.js'
import type { AvatarKind, Avatars } from './avatars.js'

/** Finds the avatar of an owner; undefined without one, or if the caller may not see the owner. */
export type FindAvatar = (
  request: FastifyRequest,
  id: number,
) => Promise<{ name: string; key: string } | undefined>

const ADDRESS =
  /^\/uploads\/-\/system\/(?<kind>project|group|user|topic)\/avatar\/(?<id>\d{1,15})\/(?<name>[^/]+)$/

/**
 * Returns a handler for avatar URLs. It resolves to true after responding, and to false if the request is not
 * for an existing avatar.
 */
export function avatarServer(
  avatars: Avatars,
  finders: Record<AvatarKind, FindAvatar>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<boolean> {
  return async (request, reply) => {
    const { pathname } = requestAddress(request.raw.url ?? '/')
    const groups = ADDRESS.exec(pathname)?.groups
    if (!groups || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    const find = finders[groups['kind'] as AvatarKind]
    const avatar = await find(request, Number(groups['id']))
    if (!avatar || encodeURIComponent(avatar.name) !== encodedAgain(groups['name'] ?? '')) return false
    return send(avatars, avatar.key, request, reply)
  }
}

/** Normalizes the encoding of a name, since clients encode it in different ways. */
function encodedAgain(name: string): string | undefined {
  try {
    return encodeURIComponent(decodeURIComponent(name))
  } catch {
    return undefined // a stray % occurs in no avatar name
  }
}

async function send(
  avatars: Avatars,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const etag = `"${key.slice(key.lastIndexOf('/') + 1)}"`
  reply.headers({ etag, 'cache-control': 'private, max-age=300, must-revalidate' })
  if (request.headers['if-none-match'] === etag) {
    await reply.status(304).send()
    return true
  }
  const found = await avatars.read(key)
  if (!found) return false
  await reply.headers({ 'content-type': found.contentType, ...PICTURE_HEADERS }).send(found.body)
  return true
}
