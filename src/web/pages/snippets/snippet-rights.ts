import type { Snippet } from '../../../coordinator/hosting/snippets/schema.js'
import { boot } from '../../api/boot.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import type { SnippetProject } from './snippet-owner.js'

interface SnippetRights {
  mayCreate: boolean
  /** Change or delete this one. */
  mayEdit: (snippet: Snippet) => boolean
  /** Why nothing can be changed now, such as an archived project. */
  reason: string | undefined
}

/** What the user may do with the snippets of a project, or with those of users. */
export function useSnippetRights(project: SnippetProject): SnippetRights {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const { user } = boot
  return {
    mayCreate: user !== null && (project === undefined || may('create_snippets')),
    mayEdit: ({ author }) =>
      user !== null &&
      (author.id === user.id || user.is_admin || (project !== undefined && may('admin_project'))),
    reason: project === undefined ? undefined : reasonAgainst('create_snippets'),
  }
}
