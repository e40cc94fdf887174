import type { Group, User } from '../../access/caller.js'
import { GROUP_RULES } from '../../access/permissions.js'
import { type GitCaller, mayPush } from '../../http/authentication/git-credentials.js'
import { credentialsWanted, gitError } from '../repositories/http/git-refused-error.js'
import type { FindOtherRepository } from '../repositories/http/other-repository.js'
import { emitChanges } from './emit-changes.js'
import type { WikiDeps } from './wiki-deps.js'
import { ensureWiki } from './wikis.js'

export interface GroupWikiGitDeps extends WikiDeps {
  findGroup: (fullPath: string) => Promise<Group | undefined>
  /** The group that formerly had this path. */
  findRedirect: (fullPath: string) => Promise<Group | undefined>
  /** Effective level of a user in a group; 0 = the group is hidden from the user. */
  levelIn: (user: User | undefined, group: Group) => Promise<number>
}

const SUFFIX = '.wiki'

/**
 * Finds the repositories of wikis of groups for git: `group.wiki`. The roles of users are those of the API. Jobs, and the
 * tokens and keys of projects and groups, read what everybody may read.
 */
export function groupWikiGit(deps: GroupWikiGitDeps): FindOtherRepository {
  return async (service, authenticated, fullPath) => {
    if (!fullPath.endsWith(SUFFIX)) return undefined
    const path = fullPath.slice(0, -SUFFIX.length)
    const found = await groupAt(deps, path)
    const group = found ?? (await deps.findRedirect(path))
    if (!group) return undefined
    const caller = await authenticated()
    const isPush = service === 'git-receive-pack'
    const user = caller.kind === 'user' ? caller.user : undefined
    const level = await deps.levelIn(user, group)
    const mayRead = level >= GROUP_RULES.read_group_wiki.level
    if (caller.kind === 'anonymous' && (isPush || !mayRead)) throw credentialsWanted()
    if (!mayRead) throw gitError('git_project_not_found')
    const writer = level >= GROUP_RULES.write_group_wiki.level ? user : undefined
    if (isPush) refuseUnlessWriter(caller, writer)
    // Others have nothing to fetch from a wiki without pages.
    if (writer) await ensureWiki(deps, group.id)
    return {
      repositories: deps.wikiRepositories,
      id: group.id,
      onPushed: () => (writer ? emitChanges(deps, group.id, writer) : Promise.resolve()),
      ...(!found && { movedTo: `${group.full_path}${SUFFIX}` }),
    }
  }
}

/** The finder takes IDs, too, which are no paths of a wiki. */
async function groupAt({ findGroup }: GroupWikiGitDeps, path: string): Promise<Group | undefined> {
  const group = await findGroup(path)
  return group?.full_path.toLowerCase() === path.toLowerCase() ? group : undefined
}

function refuseUnlessWriter(caller: GitCaller, writer: User | undefined): void {
  if (!writer || !mayPush(caller)) throw gitError('git_wiki_push_forbidden')
}
