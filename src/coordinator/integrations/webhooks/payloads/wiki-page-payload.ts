import { sshUrl } from '../../../http/presenters/ssh-url.js'
import type { WikiPageFacts } from '../outbox/emit-wiki-page-events.js'
import { findUser, loadProject, type PayloadDeps } from './payload-deps.js'
import { projectBlock, projectUrl } from './project-blocks.js'
import { userBlock } from './user-block.js'

/** `wiki_page` (API, K5); undefined if the project or the user was deleted. */
export async function wikiPagePayload(deps: PayloadDeps, projectId: number | null, facts: WikiPageFacts) {
  const around = await loadProject(deps, projectId)
  const user = await findUser(deps, facts.userId)
  if (!around || !user) return undefined
  const { externalUrl, project } = around
  const { slug, title, format, message, sha, action } = facts
  const path = `${project.full_path}.wiki`
  const pages = `${projectUrl(around)}/-/wikis`
  const url = `${pages}/${slug.split('/').map(encodeURIComponent).join('/')}`
  return {
    object_kind: 'wiki_page',
    user: userBlock(user, externalUrl),
    project: projectBlock(around),
    wiki: {
      web_url: `${pages}/home`,
      git_ssh_url: sshUrl(path, externalUrl),
      git_http_url: `${externalUrl}/${path}.git`,
      path_with_namespace: path,
      default_branch: 'main',
    },
    object_attributes: {
      slug,
      title,
      format,
      message,
      version_id: sha,
      content: await deps.wikiContent(project.id, facts.blob),
      url,
      action,
      diff_url: `${url}/diff?version_id=${sha}`,
    },
  }
}
