import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { BranchChanges } from './branch-changes.js'
import { BranchChoice } from './branch-choice.js'
import { RequestForm } from './request-form.js'

/** Names of the parameters of the address, as those of a push to the server name them too. */
const SOURCE = 'merge_request[source_branch]'
const TARGET = 'merge_request[target_branch]'
const TARGET_PROJECT = 'merge_request[target_project_id]'

/** A new merge request: its branches, what it would merge, and its text. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`New merge request · ${project}`)
  const abilities = useProjectAbilities(project)
  const record = useRead<FullProject>(projectApi(project))
  return (
    <Allowed
      abilities={abilities}
      to="create_merge_requests"
      title="New merge request"
      otherwise="Merge requests are created by developers of the project."
    >
      <Read of={record} title="New merge request">
        {(read) => <NewRequest project={project} record={read} />}
      </Read>
    </Allowed>
  )
}

function NewRequest({ project, record }: { project: string; record: FullProject }) {
  const [search, setSearch] = useSearch()
  const { reasonAgainst } = useProjectAbilities(project)
  const upstream = record.forked_from_project
  const isUpstream = upstream !== undefined && search.get(TARGET_PROJECT) === String(upstream.id)
  const target = isUpstream
    ? { id: upstream.id, path: upstream.path_with_namespace }
    : { id: record.id, path: project }
  const branches = {
    source: search.get(SOURCE) ?? '',
    target: search.get(TARGET) ?? (isUpstream ? '' : (record.default_branch ?? '')),
  }
  const isComplete =
    branches.source !== '' && branches.target !== '' && (isUpstream || branches.source !== branches.target)
  return (
    <>
      <PageHeader title="New merge request" />
      <Panels>
        <BranchChoice
          project={project}
          branches={branches}
          target={target}
          upstream={upstream ? { id: upstream.id, path: upstream.path_with_namespace } : undefined}
          ownId={record.id}
          onChoose={({ source, target: into, targetProject }) =>
            setSearch({
              ...(source !== undefined && { [SOURCE]: source }),
              ...(into !== undefined && { [TARGET]: into }),
              ...(targetProject !== undefined && {
                [TARGET_PROJECT]: targetProject === record.id ? undefined : String(targetProject),
                [TARGET]: undefined,
              }),
            })
          }
        />
        {isComplete && (
          <>
            <RequestForm
              key={`${target.id} ${branches.source} ${branches.target}`}
              project={project}
              record={record}
              branches={branches}
              target={target}
              reason={reasonAgainst('create_merge_requests')}
              onCreated={(url) => navigate(url)}
              cancelHref={addressOf('merge-requests/list', { project })}
            />
            {!isUpstream && <BranchChanges project={project} branches={branches} />}
          </>
        )}
      </Panels>
    </>
  )
}
