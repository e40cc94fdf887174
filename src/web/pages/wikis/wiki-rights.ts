import { boot } from '../../api/boot.js'
import { type Abilities, useGroupAbilities, useProjectAbilities } from '../../frame/use-abilities.js'
import type { WikiOwner } from './wiki-owner.js'

export interface WikiRights {
  abilities: Abilities
  mayWrite: boolean
  mayDelete: boolean
  /** Why nothing can be changed now, such as an archived project. */
  reason: string | undefined
}

/** What the user may do in the wiki of a project or group. */
export function useWikiRights({ kind, path }: WikiOwner): WikiRights {
  const inProject = useProjectAbilities(kind === 'project' ? path : undefined)
  const inGroup = useGroupAbilities(kind === 'group' ? path : undefined)
  const isUser = boot.user !== null
  if (kind === 'group') {
    return {
      abilities: inGroup,
      mayWrite: isUser && inGroup.may('write_group_wiki'),
      mayDelete: isUser && inGroup.may('delete_group_wiki_pages'),
      reason: undefined,
    }
  }
  return {
    abilities: inProject,
    mayWrite: isUser && inProject.may('write_wiki'),
    mayDelete: isUser && inProject.may('delete_wiki_pages'),
    reason: inProject.reasonAgainst('write_wiki'),
  }
}
