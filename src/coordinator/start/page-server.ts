import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Caller, Group, Project, User } from '../access/caller.js'
import { createGroupDirectory } from '../accounts/groups/group-directory.js'
import { artifactServer } from '../ci/jobs/artifacts/serve-artifact.js'
import { badgeServer } from '../ci/status-badges/serve-badge.js'
import { avatarFinders } from '../hosting/avatars/find-avatars.js'
import { avatarServer } from '../hosting/avatars/serve-avatar.js'
import { rawFileServer } from '../hosting/files/serve-raw.js'
import type { RedirectFinder } from '../hosting/paths/redirects.js'
import { redirectPageServer } from '../hosting/paths/serve-redirects.js'
import { uploadServer } from '../hosting/projects/uploads/serve-upload.js'
import { archiveServer } from '../hosting/repository-contents/serve-archive.js'
import { snippetRawServer } from '../hosting/snippets/serve-raw.js'
import type { Authenticator } from '../http/authentication/authenticator.js'
import { createCallerReader } from '../http/authentication/caller.js'
import { createSessionReader } from '../http/authentication/read-session.js'
import { levelInGroup, levelOf } from '../http/handle-operation.js'
import type { RateLimits } from '../http/rate-limits/rate-limits.js'
import { viewerOf } from '../http/viewer.js'
import { appearanceImageServer } from '../instance/appearance/serve-image.js'
import type { WebBuild } from '../pages/page-files.js'
import { pageHandler } from '../pages/serve-page.js'
import type { Services } from './services/services.js'

interface Access {
  authenticator: Authenticator
  rateLimits: RateLimits
  externalUrl: string
  /** Undefined if the pages are not served, or were not built. */
  build: WebBuild | undefined
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  moved: RedirectFinder
  projectAccessOf: Parameters<typeof levelOf>[0]['projectAccessOf']
}

type ServePage = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

/**
 * Serves paths outside the API and git: badges, archives, raw files, artifacts, uploads, avatars and pages. Returns
 * whether it handled the request.
 */
export function pageServer(services: Services, access: Access): ServePage {
  const { database, secrets, blobs, artifacts, avatars, repositories, settings, siteOrigins } = services
  const { findProject } = access
  const groups = createGroupDirectory(database)
  const rules = { method: 'GET', jobToken: false, open: true, scopes: [], session: 'page' } as const
  const read = createCallerReader(access, rules)
  const readCaller = (request: FastifyRequest) => read(request, {})
  const maySee = async (caller: Caller, project: Project): Promise<boolean> =>
    (await levelOf(access, viewerOf(caller), project)) > 0
  const maySeeGroup = async (caller: Caller, group: Group): Promise<boolean> =>
    (await levelInGroup(groups, viewerOf(caller), group)) > 0

  const servers: ServePage[] = [
    badgeServer({ database, repositories, ...access }),
    archiveServer({ repositories, ...access }),
    rawFileServer({ database, blobs, repositories, ...access }),
    snippetRawServer(access.externalUrl),
    artifactServer({
      database,
      artifacts,
      secrets,
      artifactsUrl: siteOrigins.artifactsUrl,
      ...access,
    }),
    uploadServer({ database, blobs, findProject, readCaller, maySee }),
    avatarServer(avatars, avatarFinders({ database, groups, findProject, readCaller, maySee })),
    appearanceImageServer({ database, blobs }),
    redirectPageServer({ moved: access.moved, readCaller, maySee }),
    pageHandler({
      database,
      build: access.build,
      externalUrl: access.externalUrl,
      servesSsh: settings.sshListen !== undefined,
      readSession: createSessionReader(access),
      readCaller,
      findProject,
      findGroup: groups.find,
      findUser: access.findUser,
      maySee,
      maySeeGroup,
    }),
  ]
  return async (request, reply) => {
    for (const serve of servers) if (await serve(request, reply)) return true
    return false
  }
}
