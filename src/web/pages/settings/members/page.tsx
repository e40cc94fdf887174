import { projectApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { Members } from '../../../records/members.js'
import { ReadOnlyNotice } from '../read-only-notice.js'

/** The members of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Members · ${project}`)
  const { may, reasonAgainst, level } = useProjectAbilities(project)
  return (
    <>
      <PageHeader title="Members" />
      {may('admin_members') && <ReadOnlyNotice project={project} />}
      <Members
        base={projectApi(project)}
        record={projectApi(project)}
        mayChange={may('admin_members')}
        reason={reasonAgainst('admin_members')}
        highest={level}
      />
    </>
  )
}
