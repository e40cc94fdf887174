import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'

/** Full path of the project of snippets; undefined for those of users. */
export type SnippetProject = string | undefined

/** The list of snippets in the API, below its prefix. */
export function listApi(project: SnippetProject): string {
  return `${project === undefined ? '' : projectApi(project)}/snippets`
}

/** A snippet in the API, below its prefix. */
export function snippetApi(project: SnippetProject, id: string | number): string {
  return `${listApi(project)}/${id}`
}

/** A snippet as its page reads it, in the API, below its prefix. */
export function shownApi(project: SnippetProject, id: string | number): string {
  return `${snippetApi(project, id)}?render_html=true`
}

/** The branch of every snippet. */
const BRANCH = 'main'

/** The content of a file in the API, below its prefix. */
export function fileApi(project: SnippetProject, id: string | number, path: string): string {
  return `${snippetApi(project, id)}/files/${BRANCH}/${encodeURIComponent(path)}/raw`
}

export function listAddress(project: SnippetProject): string {
  return project === undefined
    ? addressOf('snippets/own', { root: 'dashboard' })
    : addressOf('snippets/list', { project })
}

export function newAddress(project: SnippetProject): string {
  return snippetAddress(project, 'new')
}

export function editAddress(project: SnippetProject, id: number): string {
  return snippetAddress(project, String(id), 'edit')
}

function snippetAddress(project: SnippetProject, id: string, view = ''): string {
  return project === undefined
    ? addressOf('snippets/own-snippet', { id, view })
    : addressOf('snippets/snippet', { project, id, view })
}
