import { addressOf } from '../../../addresses/address-of.js'
import type { TestReportSummary } from '../../../coordinator/ci/pipelines/test-report-schema.js'
import { useRead, useRefetchOn } from '../../api/use-read.js'
import { changePreferences } from '../../frame/preferences.js'
import { type Tab, Tabs } from '../../kit/tabs.js'
import { testCount, testSummaryPath } from './test-summary.js'
import type { ShownPipeline } from './use-pipeline.js'

export type PipelineTab =
  | 'failures'
  | 'graph'
  | 'needs'
  | 'waterfall'
  | 'jobs'
  | 'tests'
  | 'variables'
  | 'compare'

/** The tabs of a pipeline, with the numbers of its failed jobs, jobs and tests. */
export function PipelineTabs({
  project,
  pipeline,
  graph,
  current,
}: ShownPipeline & { current: PipelineTab }) {
  const summary = useRead<TestReportSummary>(testSummaryPath(project, pipeline.id))
  const ended = graph.jobs.filter(({ finished_at: at }) => at !== null).length
  // The report of a job arrives before its end.
  useRefetchOn(ended, summary)
  const tests = summary.data && testCount(summary.data)
  return <Tabs label="Pipeline" tabs={pipelineTabs({ project, pipeline, graph }, current, tests)} />
}

/** Tabs of a pipeline that has no jobs. */
const WITHOUT_JOBS: ReadonlySet<PipelineTab> = new Set(['graph', 'variables'])

function pipelineTabs(
  { project, pipeline, graph }: ShownPipeline,
  current: PipelineTab,
  tests: string | undefined,
): Tab[] {
  const params = { project, id: String(pipeline.id) }
  const hasJobs = graph.jobs.length > 0
  const failed = graph.jobs.filter(({ status }) => status === 'failed').length
  const remember = (failedPipelineTab: 'failures' | 'graph') =>
    graph.status === 'failed' ? () => changePreferences({ failedPipelineTab }) : undefined
  const tabs: {
    tab: PipelineTab
    label: string
    href: string
    count?: number | string | undefined
    isLeftOut?: boolean
    onSelect?: (() => void) | undefined
  }[] = [
    {
      tab: 'failures',
      label: 'Failures',
      href: addressOf('pipelines/failures', params),
      count: failed,
      isLeftOut: failed === 0 && current !== 'failures',
      onSelect: remember('failures'),
    },
    {
      tab: 'graph',
      label: 'Graph',
      href: addressOf('pipelines/pipeline', params, { view: 'graph' }),
      onSelect: remember('graph'),
    },
    { tab: 'needs', label: 'Needs', href: addressOf('pipelines/needs', params) },
    { tab: 'waterfall', label: 'Waterfall', href: addressOf('pipelines/waterfall', params) },
    { tab: 'jobs', label: 'Jobs', href: addressOf('pipelines/jobs', params), count: graph.jobs.length },
    { tab: 'tests', label: 'Tests', href: addressOf('pipelines/tests', params), count: tests },
    { tab: 'variables', label: 'Variables', href: addressOf('pipelines/variables', params) },
    { tab: 'compare', label: 'Compare', href: addressOf('pipelines/compare', params) },
  ]
  return tabs
    .filter(({ tab, isLeftOut }) => !isLeftOut && (hasJobs || WITHOUT_JOBS.has(tab) || tab === current))
    .map(({ tab, label, href, count, onSelect }) => ({
      label,
      href,
      count,
      onSelect,
      isCurrent: tab === current,
    }))
}
