import { Workflow } from 'lucide'
import type { ComponentChildren } from 'preact'

import type { Pipeline } from '../../../coordinator/ci/pipelines/schema.js'
import { useTitle } from '../../frame/document-title.js'
import { Read } from '../../frame/problem.js'
import { Empty } from '../../kit/empty.js'
import { ExposedLinks } from '../../records/exposed-links.js'
import { PipelineHeader } from './pipeline-header.js'
import styles from './pipeline-layout.module.css'
import { PipelineMessages } from './pipeline-messages.js'
import { type PipelineTab, PipelineTabs } from './pipeline-tabs.js'
import { type ShownPipeline, usePipeline } from './use-pipeline.js'

interface LayoutProps {
  params: { project: string; id: string }
  tab: PipelineTab
  children: (shown: ShownPipeline) => ComponentChildren
}

/** What every page of a pipeline begins with: its state, its actions, and the tabs. */
export function PipelineLayout({ params: { project, id }, tab, children }: LayoutProps) {
  const { pipeline, graph, path } = usePipeline(project, id)
  useTitle(`Pipeline #${id} · ${project}`, pipeline.data?.status)
  return (
    <Read of={pipeline} title={`Pipeline #${id}`}>
      {(record) => (
        <Read of={graph} title={`Pipeline #${id}`}>
          {(known) => (
            <>
              <PipelineHeader project={project} pipeline={record} graph={known} path={path} />
              <PipelineMessages pipeline={record} project={project} />
              <ExposedLinks
                project={project}
                pipelineId={record.id}
                version={String(known.jobs.filter(({ artifacts }) => artifacts !== null).length)}
              />
              <PipelineTabs project={project} pipeline={record} graph={known} current={tab} />
              <div class={styles['content']}>
                {known.jobs.length === 0 && JOB_TABS.has(tab) ? (
                  <NoJobs pipeline={record} />
                ) : (
                  children({ project, pipeline: record, graph: known })
                )}
              </div>
            </>
          )}
        </Read>
      )}
    </Read>
  )
}

/** Tabs that have nothing to show without jobs. */
const JOB_TABS: ReadonlySet<PipelineTab> = new Set([
  'failures',
  'graph',
  'needs',
  'waterfall',
  'jobs',
  'tests',
])

/** Why a pipeline has no jobs. */
function NoJobs({ pipeline: { status, yaml_errors: errors } }: { pipeline: Pipeline }) {
  return (
    <Empty icon={Workflow} title="This pipeline has no jobs.">
      {errors !== null ? (
        'Its CI file has errors, so that no job could be created.'
      ) : status === 'skipped' ? (
        <>
          The message of the commit contains <code>[skip ci]</code>, or the push had the option{' '}
          <code>ci.skip</code>.
        </>
      ) : undefined}
    </Empty>
  )
}
