import type { Operation } from '../../http/operation.js'
import { personalSnippetOperations } from './personal-operations.js'
import { projectSnippetOperations } from './project-operations.js'
import type { SnippetDeps } from './snippets.js'

/** Snippets of users and of projects (API, G6). */
export function snippetOperations(deps: SnippetDeps): Operation[] {
  return [...personalSnippetOperations(deps), ...projectSnippetOperations(deps)]
}
