import { GitFork } from 'lucide'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { ForkButton } from '../../../records/fork-button.js'
import { ProjectList } from '../../../records/project-list.js'

/** The forks of a project that the reader may see. */
export function Page({ params: { project: path } }: { params: { project: string } }) {
  const { data: project } = useRead<SimpleProject>(projectApi(path), { staleTime: 60_000 })
  const { may } = useProjectAbilities(path)
  useTitle(`Forks · ${path}`)
  const mayFork = boot.user !== null && may('fork_project') && project?.default_branch
  return (
    <>
      <PageHeader title="Forks" actions={mayFork && <ForkButton kind="primary" project={project} />} />
      <Panel isFlush>
        <ProjectList
          label="Forks"
          list={`${projectApi(path)}/forks`}
          empty={
            <Empty icon={GitFork} title="There is no fork that you may see.">
              A fork is a copy of a project in another namespace, where its owners can change it.
            </Empty>
          }
        />
      </Panel>
    </>
  )
}
