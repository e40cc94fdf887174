import { MAINTAINER } from '../../access/access-levels.js'
import type { Database } from '../../database/connect.js'
import { mayPush } from '../../http/authentication/git-credentials.js'
import type { GitAccess } from '../repositories/http/git-access.js'
import { credentialsWanted, gitError } from '../repositories/http/git-refused-error.js'
import type { FindOtherRepository } from '../repositories/http/other-repository.js'
import type { Repositories } from '../repositories/repositories.js'
import { measured } from '../repositories/size-of.js'
import { pathsOf } from './files.js'
import { findVisibleSnippet, updateSnippet } from './store.js'

interface SnippetGitDeps {
  database: Database
  snippetRepositories: Repositories
  access: Pick<GitAccess, 'findProject' | 'accessLevel'>
}

/** `snippets/5`, and `group/app/snippets/5` for a snippet of a project. */
const PATH = /^(?:(.+)\/)?snippets\/([1-9]\d{0,8})$/

/** Finds the repositories of snippets for git: those who see one may clone it, and those who may change it may push. */
export function snippetGit({ database, snippetRepositories, access }: SnippetGitDeps): FindOtherRepository {
  return async (service, authenticated, fullPath) => {
    const [, projectPath, number] = PATH.exec(fullPath) ?? []
    if (number === undefined) return undefined
    const project = projectPath === undefined ? undefined : await access.findProject(projectPath)
    if (projectPath !== undefined && !project) return undefined
    const caller = await authenticated()
    const viewer = caller.kind === 'user' ? caller.user : undefined
    const id = Number(number)
    const row = await findVisibleSnippet(database, { id, projectId: project?.id ?? null }, viewer)
    const isPush = service === 'git-receive-pack'
    if (!viewer && (isPush || !row)) throw credentialsWanted()
    if (!row) throw gitError('git_snippet_not_found')
    if (isPush && viewer) {
      const level = project && caller.kind === 'user' ? await access.accessLevel(caller, project) : 0
      const isAllowed = row.author_id === viewer.id || viewer.is_admin || level >= MAINTAINER
      if (!isAllowed || !mayPush(caller)) {
        throw gitError('git_snippet_push_forbidden')
      }
    }
    const onPushed = async () => {
      const [first = row.file_name] = await pathsOf(snippetRepositories, id)
      const size = await measured(snippetRepositories, id)
      await updateSnippet(database, id, { file_name: first, size, updated_at: Date.now() })
    }
    return { repositories: snippetRepositories, id, onPushed }
  }
}
