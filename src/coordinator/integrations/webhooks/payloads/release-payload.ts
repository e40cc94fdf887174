import type { ReleaseFacts } from '../outbox/emit-release-event.js'
import { hookTime } from './hook-times.js'
import { findCommit, loadProject, type PayloadDeps } from './payload-deps.js'
import { commitBlock, type ProjectAround, projectBlock, projectUrl } from './project-blocks.js'

const SOURCE_FORMATS = ['zip', 'tar.gz', 'tar.bz2', 'tar']

/** `release` (API, K5); undefined when its project is gone. */
export async function releasePayload(deps: PayloadDeps, projectId: number | null, facts: ReleaseFacts) {
  const around = await loadProject(deps, projectId)
  if (!around) return undefined
  const { release, links, action } = facts
  const { id, tag, name, description } = release
  const commit = await findCommit(deps, around.project.id, release.sha)
  const sources = sourcesOf(around, tag)
  return {
    id,
    created_at: hookTime(release.created_at),
    description,
    name,
    released_at: hookTime(release.released_at),
    tag,
    object_kind: 'release',
    project: projectBlock(around),
    url: `${projectUrl(around)}/-/releases/${encodeURIComponent(tag)}`,
    action,
    assets: {
      count: links.length + sources.length,
      links: links.map(({ id, link_type, name, url }) => ({ id, external: true, link_type, name, url })),
      sources,
    },
    commit: commit ? commitBlock(commit, around) : null,
  }
}

function sourcesOf(around: ProjectAround, tag: string) {
  const file = `${around.project.path}-${tag.replaceAll('/', '-')}`
  const folder = `${projectUrl(around)}/-/archive/${encodeURIComponent(tag)}`
  return SOURCE_FORMATS.map((format) => ({ format, url: `${folder}/${file}.${format}` }))
}
