import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Release, ReleaseLink } from '../../../../coordinator/hosting/releases/schema.js'
import { requestJson } from '../../../api/client.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate } from '../../../frame/location.js'
import { notify } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { apiTime, localTime } from '../../../kit/local-time.js'
import { PageHeader } from '../../../kit/panel.js'
import { type ReleaseDraft, ReleaseForm } from '../release-form.js'
import type { LinkDraft } from '../release-links.js'

/** Changes the title, date, notes, milestones and links of a release. */
export function Page({ params: { project, tag } }: { params: Record<'project' | 'tag', string> }) {
  useTitle(`Edit release ${tag} · ${project}`)
  const release = useRead<Release>(`${projectApi(project)}/releases/${encodeURIComponent(tag)}`)
  return (
    <>
      <PageHeader title={`Edit release ${tag}`} />
      <Allowed
        abilities={useProjectAbilities(project)}
        to="manage_releases"
        otherwise="Developers and above can edit releases."
      >
        <Read of={release}>{(record) => <Form project={project} release={record} />}</Read>
      </Allowed>
    </>
  )
}

function Form({ project, release }: { project: string; release: Release }) {
  const tag = release.tag_name
  const base = `${projectApi(project)}/releases`
  const path = `${base}/${encodeURIComponent(tag)}`
  const href = addressOf('releases/release', { project, tag })
  const releasedAt = localTime(release.released_at)
  const save = async ({ name, description, releasedAt: at, milestones, links }: ReleaseDraft) => {
    await requestJson(path, {
      method: 'PUT',
      body: {
        name,
        description,
        // The field has no seconds: a time that was not changed stays as it is.
        ...(at !== releasedAt && { released_at: apiTime(at) }),
        milestone_ids: milestones,
      },
    })
    await saveLinks(`${path}/assets/links`, release.assets.links, links)
    await refresh(base)
    notify(`The release ${name} was saved`)
    navigate(href)
  }
  return (
    <ReleaseForm
      project={project}
      release={release}
      first={{
        tag,
        ref: undefined,
        tagMessage: '',
        name: release.name,
        description: release.description ?? '',
        releasedAt,
        milestones: release.milestones.map(({ id }) => id),
        links: release.assets.links.map(({ id, name, url, link_type }) => ({ id, name, url, link_type })),
      }}
      action="Save changes"
      cancelHref={href}
      save={save}
    />
  )
}

/** Makes the stored links those of the form. Deletes first, because names and URLs are unique. */
async function saveLinks(
  path: string,
  stored: readonly ReleaseLink[],
  wanted: readonly LinkDraft[],
): Promise<void> {
  const byId = new Map(stored.map((link) => [link.id, link]))
  const kept = new Set(wanted.map(({ id }) => id))
  for (const { id } of stored) if (!kept.has(id)) await requestJson(`${path}/${id}`, { method: 'DELETE' })
  for (const { id, ...fields } of wanted) {
    const before = id === undefined ? undefined : byId.get(id)
    if (!before) await requestJson(path, { method: 'POST', body: fields })
    else if (isChanged(before, fields)) await requestJson(`${path}/${id}`, { method: 'PUT', body: fields })
  }
}

function isChanged(before: ReleaseLink, after: Omit<LinkDraft, 'id'>): boolean {
  return before.name !== after.name || before.url !== after.url || before.link_type !== after.link_type
}
