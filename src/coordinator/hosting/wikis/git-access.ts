import { REPORTER } from '../../access/access-levels.js'
import { may, visitorLevel } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { whyReadOnly } from '../../access/read-only.js'
import { canSeeProject } from '../../http/authentication/deploy-token.js'
import { type GitCaller, mayPush } from '../../http/authentication/git-credentials.js'
import { viewerOf } from '../../http/viewer.js'
import type { GitAccess } from '../repositories/http/git-access.js'
import { credentialsWanted, gitError } from '../repositories/http/git-refused-error.js'
import type { FindOtherRepository } from '../repositories/http/other-repository.js'
import type { WikiDeps } from './wiki-deps.js'
import { ensureWiki } from './wikis.js'

export interface WikiGitDeps extends WikiDeps {
  access: Pick<GitAccess, 'findProject' | 'findRedirect' | 'allowsJobTokensOf'>
  /** Effective level of a user in a project, and the level from membership alone. */
  accessIn: (user: User | undefined, project: Project) => Promise<Levels>
  /** Called when a push has ended, also if it moved nothing. */
  onPushed: (project: Project, user: User) => Promise<void>
}

interface Levels {
  accessLevel: number
  membership: number
}

const SUFFIX = '.wiki'

/** Finds the repositories of wikis for git: `group/app.wiki`. The roles are those of the API. */
export function wikiGit(deps: WikiGitDeps): FindOtherRepository {
  const { access, wikiRepositories } = deps
  return async (service, authenticated, fullPath) => {
    if (!fullPath.endsWith(SUFFIX)) return undefined
    const path = fullPath.slice(0, -SUFFIX.length)
    const found = await access.findProject(path)
    const project = found ?? (await access.findRedirect(path))?.project
    // Earlier versions allowed projects with such names.
    if (!project || (await access.findProject(fullPath))) return undefined
    const caller = await authenticated()
    const isPush = service === 'git-receive-pack'
    const inProject = { project, ...(await levelsOf(deps, caller, project, isPush)) }
    const isAnonymous = caller.kind === 'anonymous'
    if (isAnonymous && (isPush || !may('read_wiki', inProject))) throw credentialsWanted()
    if (inProject.accessLevel === 0) throw gitError('git_project_not_found')
    if (!may('read_wiki', inProject)) throw gitError('git_wiki_forbidden')
    const isWriter = caller.kind === 'user' && may('write_wiki', inProject)
    if (isPush) refuseUnlessWriter(caller, isWriter, project)
    // Others have nothing to fetch from a wiki without pages.
    if (isWriter) await ensureWiki(deps, project.id)
    return {
      repositories: wikiRepositories,
      id: project.id,
      onPushed: () => (isWriter ? deps.onPushed(project, caller.user) : Promise.resolve()),
      ...(!found && { movedTo: `${project.full_path}${SUFFIX}` }),
    }
  }
}

async function levelsOf(
  { access, accessIn }: WikiGitDeps,
  caller: GitCaller,
  project: Project,
  isPush: boolean,
): Promise<Levels> {
  switch (caller.kind) {
    case 'deploy-token':
      return canSeeProject(caller, project) ? READER : accessIn(undefined, project)
    case 'deploy-key':
      return caller.projects.some(({ projectId }) => projectId === project.id)
        ? READER
        : accessIn(undefined, project)
    case 'job': {
      // Jobs cannot push, so the allowlist makes no difference for a push.
      const isOfUser = isPush || (await access.allowsJobTokensOf(project, caller.job.project_id))
      if (isOfUser) return accessIn(caller.user, project)
      return { accessLevel: visitorLevel(caller.user, project), membership: 0 }
    }
    default:
      return accessIn(viewerOf(caller), project)
  }
}

const READER: Levels = { accessLevel: REPORTER, membership: REPORTER }

function refuseUnlessWriter(caller: GitCaller, isWriter: boolean, project: Project): void {
  if (!isWriter || !mayPush(caller)) {
    throw gitError('git_wiki_push_forbidden')
  }
  const reason = whyReadOnly(project)
  if (reason !== undefined) {
    throw gitError('git_wiki_read_only', { reason })
  }
}
