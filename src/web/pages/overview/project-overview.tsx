import { Lock } from 'lucide'

import { projectApi } from '../../../addresses/first-reads.js'
import { boot } from '../../api/boot.js'
import { useRead } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { Read } from '../../frame/problem.js'
import { type May, useProjectAbilities } from '../../frame/use-abilities.js'
import { Empty } from '../../kit/empty.js'
import { Panel } from '../../kit/panel.js'
import { PushedBranch } from '../../records/pushed-branch.js'
import { EmptyRepository } from './empty-repository.js'
import { LatestPipelines } from './latest-pipelines.js'
import { OverviewSkeleton } from './overview-skeleton.js'
import { ProjectAbout } from './project-about.js'
import { ProjectFiles } from './project-files.js'
import { ProjectHeader } from './project-header.js'
import { ProjectNotices } from './project-notices.js'
import styles from './project-overview.module.css'
import { Readme } from './readme.js'
import type { ShownProject } from './shown-project.js'
import { useBranchPipelines } from './use-branch-pipelines.js'

const IMPORT_INTERVAL = 3000

/** What a project is, and whether it is in order: the pipelines of its default branch, its files, its README. */
export function ProjectOverview({ path }: { path: string }) {
  const abilities = useProjectAbilities(path)
  const project = useRead<ShownProject>(projectApi(path), { staleTime: 60_000 })
  return (
    <Read of={project} title={path} loading={<OverviewSkeleton />}>
      {(record) => (
        <Read of={abilities.result} title={path} loading={<OverviewSkeleton />}>
          {() => <Loaded project={record} abilities={abilities} />}
        </Read>
      )}
    </Read>
  )
}

function Loaded({ project, abilities }: { project: ShownProject; abilities: May }) {
  const path = project.path_with_namespace
  const branch = project.default_branch ?? undefined
  const { may } = abilities
  const isImporting = project.import_status === 'scheduled' || project.import_status === 'started'
  useRead(isImporting ? projectApi(path) : undefined, { refetchInterval: IMPORT_INTERVAL })
  const pipelines = useBranchPipelines(project, may('read_pipelines'))
  useTitle(project.name_with_namespace, pipelines.data?.[0]?.status)
  return (
    <>
      <ProjectHeader project={project} abilities={abilities} />
      <ProjectNotices project={project} abilities={abilities} />
      {boot.user && may('read_merge_requests') && abilities.readOnly === undefined && (
        <PushedBranch project={project} isDeveloper={may('create_merge_requests')} />
      )}
      {pipelines.isShown && <LatestPipelines project={project} pipelines={pipelines} abilities={abilities} />}
      <div class={styles['columns']} data-stacked="narrow">
        <div class={styles['main']} data-stacked="">
          {may('read_code') && branch !== undefined && (
            <>
              <ProjectFiles project={path} branch={branch} abilities={abilities} />
              <Readme project={path} branch={branch} abilities={abilities} />
            </>
          )}
          {!may('read_code') && (
            <Panel isFlush>
              <Empty icon={Lock} title="You may not read the code of this project.">
                Members need the Reporter role for that. What you may see is in the navigation.
              </Empty>
            </Panel>
          )}
          {may('read_code') && branch === undefined && !isImporting && (
            <EmptyRepository project={project} abilities={abilities} />
          )}
        </div>
        <ProjectAbout project={project} abilities={abilities} />
      </div>
    </>
  )
}
