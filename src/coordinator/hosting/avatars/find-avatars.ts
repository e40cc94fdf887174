import type { FastifyRequest } from 'fastify'

import type { Caller, Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { type GroupDirectory, levelInGroup } from '../../http/handle-operation.js'
import { viewerOf } from '../../http/viewer.js'
import { findTopic } from '../topic-store.js'
import type { AvatarKind } from './avatars.js'
import type { FindAvatar } from './serve-avatar.js'

interface AvatarAccess {
  database: Database
  findProject: (idOrPath: string) => Promise<Project | undefined>
  groups: GroupDirectory
  readCaller: (request: FastifyRequest) => Promise<Caller>
  /** Whether the caller may see the project. */
  maySee: (caller: Caller, project: Project) => Promise<boolean>
}

/**
 * Finders of avatars by kind of owner. The avatar of a project, group or topic requires access to it; the avatar of
 * a user is public, as the name is.
 */
export function avatarFinders(access: AvatarAccess): Record<AvatarKind, FindAvatar> {
  const { database, findProject, groups, readCaller, maySee } = access
  return {
    project: async (request, id) => {
      const project = await findProject(String(id))
      const avatar = named(project?.avatar_name, project?.avatar_key)
      if (!project || !avatar) return undefined
      return (await maySee(await readCaller(request), project)) ? avatar : undefined
    },
    group: async (request, id) => {
      const group = await groups.find(String(id))
      const avatar = named(group?.avatar, group?.avatar_key)
      if (!group || !avatar) return undefined
      const level = await levelInGroup(groups, viewerOf(await readCaller(request)), group)
      return level > 0 ? avatar : undefined
    },
    user: async (_request, id) => {
      const user = await avatarOfUser(database, id)
      return named(user?.avatar, user?.avatar_key)
    },
    topic: async (request, id) => {
      const topic = await findTopic(database, viewerOf(await readCaller(request)), id)
      return named(topic?.avatar_name, topic?.avatar_key)
    },
  }
}

function avatarOfUser(database: Database, id: number) {
  return database
    .selectFrom('user')
    .innerJoin('user_profile', 'user_profile.user_id', 'user.id')
    .select(['user.avatar', 'user_profile.avatar_key'])
    .where('user.id', '=', id)
    .executeTakeFirst()
}

function named(name: string | null | undefined, key: string | null | undefined) {
  return name && key ? { name, key } : undefined
}
