import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import type { Release } from '../../../../coordinator/hosting/releases/schema.js'
import { requestJson } from '../../../api/client.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { notify } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { apiTime } from '../../../kit/local-time.js'
import { PageHeader } from '../../../kit/panel.js'
import { type ReleaseDraft, ReleaseForm } from '../release-form.js'

/** Creates a release. `?tag=` fills in its tag. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`New release · ${project}`)
  const [search] = useSearch()
  const record = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 })
  const base = `${projectApi(project)}/releases`
  const save = async ({
    tag,
    ref,
    tagMessage,
    name,
    description,
    releasedAt,
    milestones,
    links,
  }: ReleaseDraft) => {
    const release = await requestJson<Release>(base, {
      method: 'POST',
      body: {
        tag_name: tag,
        ...(ref !== undefined && { ref, ...(tagMessage !== '' && { tag_message: tagMessage }) }),
        ...(name !== '' && { name }),
        description,
        released_at: apiTime(releasedAt),
        ...(milestones.length > 0 && { milestone_ids: milestones }),
        assets: { links },
      },
    })
    await refresh(base, `${projectApi(project)}/repository/tags`)
    notify(`The release ${release.name} was created`)
    navigate(addressOf('releases/release', { project, tag }))
  }
  return (
    <>
      <PageHeader title="New release" />
      <Allowed
        abilities={useProjectAbilities(project)}
        to="manage_releases"
        otherwise="Developers and above can create releases."
      >
        <Read of={record}>
          {({ default_branch: branch }) => (
            <ReleaseForm
              project={project}
              first={{
                tag: search.get('tag') ?? '',
                ref: branch ?? '',
                tagMessage: '',
                name: '',
                description: '',
                releasedAt: '',
                milestones: [],
                links: [],
              }}
              action="Create release"
              cancelHref={addressOf('releases/list', { project })}
              save={save}
            />
          )}
        </Read>
      </Allowed>
    </>
  )
}
