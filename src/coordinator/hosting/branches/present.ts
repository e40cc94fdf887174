import type { Commit } from '../../../git/parse-commit.js'
import { DEVELOPER } from '../../access/access-levels.js'
import type { Project } from '../../access/caller.js'
import { presentCommitRecord } from '../../http/presenters/present-commit.js'
import { isAllowed, rulesOf } from '../repositories/push/ref-rules.js'
import type { ProtectedRefRow } from '../repositories/store.js'
import type { Branch } from './schema.js'

export interface BranchSurroundings {
  project: Project
  externalUrl: string
  /** Access level of the caller in the project. */
  accessLevel: number
  /** Protection rules, resolved for the caller. */
  rules: ProtectedRefRow[]
  /** Names of the merged branches. */
  merged: Set<string>
}

export function presentBranch(name: string, commit: Commit, around: BranchSurroundings): Branch {
  const { project, externalUrl, accessLevel, merged } = around
  const projectUrl = `${externalUrl}/${project.full_path}`
  const rules = rulesOf(around.rules, 'branch', name)
  return {
    name,
    commit: presentCommitRecord(commit, projectUrl),
    merged: merged.has(name),
    protected: rules.length > 0,
    default: name === project.default_branch,
    developers_can_push: rules.some(({ push_access_level: level }) => level === DEVELOPER),
    developers_can_merge: rules.some(({ merge_access_level: level }) => level === DEVELOPER),
    can_push: accessLevel >= DEVELOPER && (rules.length === 0 || isAllowed(rules, accessLevel)),
    web_url: `${projectUrl}/-/tree/${name.split('/').map(encodeURIComponent).join('/')}`,
  }
}
