import type { PlannedRelease } from '../../../../ci-config/plan.js'
import type { ReleaseRequest } from '../../../../protocol/release-request.js'

type PlannedLink = NonNullable<PlannedRelease['links']>[number]

/** Like `releaseCommand`, for runners that create releases without a client program. */
export function releaseRequest(release: PlannedRelease): ReleaseRequest {
  const { tagName, description, tagMessage, name, ref, milestones, releasedAt, links } = release
  return {
    tag_name: tagName,
    description,
    ref: ref ?? '$CI_COMMIT_SHA',
    ...(name !== undefined && { name }),
    ...(tagMessage !== undefined && { tag_message: tagMessage }),
    ...(milestones && { milestones }),
    ...(releasedAt !== undefined && { released_at: releasedAt }),
    ...(links && { assets: { links: links.map(linkFields) } }),
  }
}

/** The line that makes the release with the client in the job's image (CI language, 3.14; runner protocol, 2.8). */
export function releaseCommand(release: PlannedRelease): string {
  const { tagName, description, tagMessage, name, ref, milestones = [], releasedAt, links = [] } = release
  const options: [flag: string, value: string | undefined][] = [
    ['name', name],
    ['description', description],
    ['tag-name', tagName],
    ['tag-message', tagMessage],
    ['ref', ref ?? '$CI_COMMIT_SHA'],
    ['released-at', releasedAt],
    ...milestones.map((milestone): [string, string] => ['milestone', milestone]),
    ...links.map((link): [string, string] => ['assets-link', linkText(link)]),
  ]
  return ['release-cli create', ...options.flatMap(([flag, value]) => optionText(flag, value))].join(' ')
}

function optionText(flag: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${flag} ${quoted(value)}`]
}

function linkText(link: PlannedLink): string {
  return JSON.stringify(linkFields(link))
}

function linkFields({ name, url, filepath, linkType }: PlannedLink) {
  return {
    name,
    url,
    ...(filepath !== undefined && { filepath }),
    ...(linkType !== undefined && { link_type: linkType }),
  }
}

/** Quotes a text as one shell word that expands variable references and nothing else. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\`]|\$(?![a-zA-Z_]|\{[a-zA-Z_]\w*\})/g, '\\$&')
  return `"${escaped}"`
}
