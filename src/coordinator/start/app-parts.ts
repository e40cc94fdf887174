import type { Caller, Project, User } from '../access/caller.js'
import { allowsJobTokensOf } from '../access/job-token-allowlist.js'
import { insertAuditEvent } from '../accounts/audit-events/store.js'
import { createGroupDirectory } from '../accounts/groups/group-directory.js'
import { createRedirectFinder } from '../hosting/paths/redirects.js'
import { createProjectAccessReader, createProjectFinder } from '../hosting/projects/find-project.js'
import { PushedProjects } from '../hosting/projects/pushed-projects.js'
import type { ShownCredentials } from '../hosting/repositories/http/git-access.js'
import { credentialsWanted, gitError } from '../hosting/repositories/http/git-refused-error.js'
import { firstOf } from '../hosting/repositories/http/other-repository.js'
import { snippetGit } from '../hosting/snippets/git-access.js'
import { emitChanges } from '../hosting/wikis/emit-changes.js'
import { wikiGit } from '../hosting/wikis/git-access.js'
import { groupWikiGit } from '../hosting/wikis/group-git-access.js'
import { failedLoginOf } from '../http/audit.js'
import { Authenticator } from '../http/authentication/authenticator.js'
import { findDeployTokenCaller } from '../http/authentication/deploy-token.js'
import { authenticateGit } from '../http/authentication/git-credentials.js'
import type { LoginGuard } from '../http/authentication/login-guard.js'
import { accessIn, codeLevelOf, levelInGroup } from '../http/handle-operation.js'
import { RateLimits } from '../http/rate-limits/rate-limits.js'
import { createSharedCounts } from '../http/rate-limits/shared-counts.js'
import { viewerOf } from '../http/viewer.js'
import { emitFailedLogin } from '../integrations/webhooks/outbox/emit-system-events.js'
import { collaborationBranches } from '../planning/access/collaboration-branches.js'
import { groupWikiDeps } from './group-wiki-deps.js'
import { projectDeps } from './project-deps.js'
import type { Services } from './services/services.js'

export type AppParts = ReturnType<typeof appParts>

/** What the servers of a coordinator share to authenticate and authorize: HTTP, and SSH for git. */
export function appParts(services: Services) {
  const { database } = services
  const { externalUrl } = services.engine.server
  const failures = createSharedCounts(database)
  const authenticator = new Authenticator(
    database,
    services.tokenUses,
    (user) => emitFailedLogin(database, user),
    failures,
    () => services.instanceSettings.takesPasswordsForGit,
  )
  const rateLimits = new RateLimits(
    services.settings.rateLimits,
    Date.now,
    failures,
    () => services.instanceSettings.requestLimits,
  )
  const findProject = createProjectFinder(database)
  const moved = createRedirectFinder(database)
  const groups = createGroupDirectory(database)
  const projectAccessOf = createProjectAccessReader(database)
  const findUser = (idOrName: string) => authenticator.findUser(idOrName)
  const pushedProjects = new PushedProjects(
    projectDeps(services, { externalUrl, findProject, findUser, projectAccessOf }),
  )
  const door = (project: Project, jobProjectId: number) => allowsJobTokensOf(database, project, jobProjectId)
  const access = {
    authenticate: async ({ authorization, address }: ShownCredentials) => {
      const caller = await authenticateGit(
        authenticator,
        authorization,
        (token) => findDeployTokenCaller(database, token),
        guardOf(address),
      )
      // Jobs always clone over HTTP. A client shows credentials only when it is asked for them.
      if (caller.kind === 'job' || services.instanceSettings.allowsGitOver('http')) return caller
      throw caller.kind === 'anonymous' ? credentialsWanted() : gitError('git_over_http_disabled')
    },
    findProject,
    findRedirect: (fullPath: string) => moved.project(fullPath),
    createProject: (user: User, fullPath: string) => pushedProjects.create(user, fullPath),
    accessLevel: (caller: Caller, project: Project) =>
      codeLevelOf({ projectAccessOf }, viewerOf(caller), project),
    allowsJobTokensOf: door,
    collaborationBranches: (user: User, project: Project) =>
      collaborationBranches({ database, findProject, projectAccessOf }, user, project),
  }
  const { snippetRepositories, wikiRepositories } = services
  const otherRepository = firstOf([
    snippetGit({ database, snippetRepositories, access }),
    wikiGit({
      database,
      wikiRepositories,
      access,
      accessIn: (user, project) => accessIn({ projectAccessOf }, user, project),
      onPushed: (project, user) => emitChanges({ database, wikiRepositories }, project.id, user),
    }),
    groupWikiGit({
      ...groupWikiDeps(services),
      findGroup: groups.find,
      findRedirect: async (fullPath) => {
        const namespace = await moved.namespace(fullPath)
        return namespace?.kind === 'group' ? namespace : undefined
      },
      levelIn: (user, group) => levelInGroup(groups, user, group),
    }),
  ])
  return {
    access,
    otherRepository,
    authenticator,
    rateLimits,
    findProject,
    findUser,
    moved,
    projectAccessOf,
    pushedProjects,
    guardOf,
  }

  function guardOf(address: string): LoginGuard {
    return {
      address,
      check: () => rateLimits.checkFailures(address),
      failed: () => rateLimits.recordFailure(address),
      refused: (user) => insertAuditEvent(database, failedLoginOf(user, address)),
      accepted: (user) => services.signIns.record(user.id, address),
    }
  }
}
