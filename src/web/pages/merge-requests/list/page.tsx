import { GitPullRequestArrow, Plus } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { MINUTE } from '../../../../lib/time-units.js'
import { boot } from '../../../api/boot.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { PushedBranch } from '../../../records/pushed-branch.js'
import { RequestList } from '../request-list.js'

/** The merge requests of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Merge requests · ${project}`)
  const record = useRead<FullProject>(projectApi(project), { staleTime: MINUTE }).data
  const { may, reasonAgainst, readOnly } = useProjectAbilities(project)
  const create = may('create_merge_requests') && (
    <LinkButton
      kind="primary"
      icon={Plus}
      reason={reasonAgainst('create_merge_requests')}
      href={addressOf('merge-requests/new', { project })}
    >
      New merge request
    </LinkButton>
  )
  return (
    <>
      <PageHeader title="Merge requests" actions={create} />
      {record && boot.user && readOnly === undefined && (
        <PushedBranch project={record} isDeveloper={may('create_merge_requests')} />
      )}
      <RequestList
        base={projectApi(project)}
        showsProject={false}
        empty={
          <Empty icon={GitPullRequestArrow} title="There are no merge requests yet." action={create}>
            A merge request asks others to review the commits of a branch, and merges them into another one.
          </Empty>
        }
      />
    </>
  )
}
