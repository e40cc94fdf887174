import { ChartLine, Play, SquarePen, Workflow } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedPipeline, PipelineCounts } from '../../../../coordinator/ci/pipelines/details/schema.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { usePagedRows } from '../../../api/use-paged-rows.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Missing } from '../../../frame/missing.js'
import { Problem } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { Empty } from '../../../kit/empty.js'
import { leaveFocus, useKeys } from '../../../kit/keys.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Rows, type RowsHandle } from '../../../kit/rows.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { Tabs } from '../../../kit/tabs.js'
import { Tools } from '../../../kit/tools.js'
import { useLive } from '../../../live/use-live.js'
import { ClearCachesButton } from '../../../records/clear-caches-button.js'
import { FILTER_PARAMETERS, filterIn, readFilter } from '../filter-words.js'
import { PipelineRow } from '../pipeline-row.js'
import { useRowLayout } from '../use-row-layout.js'
import { ChosenBar } from './chosen-bar.js'
import { FilterField } from './filter-field.js'
import styles from './page.module.css'
import { SavedFilters } from './saved-filters.js'

const SCOPES = [
  ['', 'All', 'all'],
  ['running', 'Running', 'running'],
  ['pending', 'Pending', 'pending'],
  ['finished', 'Finished', 'finished'],
  ['branches', 'Branches', 'branches'],
  ['tags', 'Tags', 'tags'],
] as const

/** The most rows whose present state decides the actions on selected pipelines. */
const MAX_REFRESHED = 1000

/** The pipelines of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Pipelines · ${project}`)
  const [search, setSearch] = useSearch()
  const { may, reasonAgainst } = useProjectAbilities(project)
  const scope = search.get('scope') ?? ''
  const text = filterIn(search)
  const { query, unknown } = readFilter(text)
  const path = `${projectApi(project)}/pipelines`
  // What a search finds is not counted.
  const isSearch = query['search'] !== undefined
  const counts = useRead<PipelineCounts>(isSearch ? undefined : `${path}/counts${queryOf(query)}`, {
    keepsPrevious: true,
  })
  const record = useRead<FullProject>(projectApi(project)).data
  const list = usePagedRows<DetailedPipeline>(path, {
    ...query,
    scope: scope === '' ? undefined : scope,
    with_details: true,
  })
  const handle = useRef<RowsHandle>(null)
  const [unseen, setUnseen] = useState(0)
  const [current, setCurrent] = useState<number>()
  const [chosen, setChosen] = useState<ReadonlyMap<number, DetailedPipeline>>(new Map())
  const mayChoose = may('run_pipelines') || may('delete_pipelines')
  const choose = (pipeline: DetailedPipeline, isChosen: boolean) =>
    setChosen((known) => {
      const next = new Map(known)
      if (isChosen) next.set(pipeline.id, pipeline)
      else next.delete(pipeline.id)
      return next
    })
  const { height: rowHeight, stageMarks } = useRowLayout()

  const reload = () => {
    setUnseen(0)
    list.refetch()
    void counts.refetch()
  }
  useLive(
    record ? [`project/${record.id}`] : [],
    {
      pipeline: ({ id, project_id: of }) => {
        if (of !== record?.id) return
        const newest = list.rowAt(0)?.id ?? 0
        // A list that is being read does not move under its reader.
        if (id > newest && (handle.current?.visible().first ?? 0) > 0) setUnseen((count) => count + 1)
        else reload()
      },
      'pipeline-deleted': reload,
    },
    reload,
  )
  useEffect(() => {
    setUnseen(0)
    setChosen(new Map())
  }, [scope, text])
  const move = (step: number) => {
    leaveFocus()
    const next = Math.max(0, Math.min(list.count - 1, (current ?? -1) + step))
    setCurrent(next)
    handle.current?.scrollToRow(next, 'middle')
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const pipeline = current === undefined ? undefined : list.rowAt(current)
      if (pipeline) navigate(addressOf('pipelines/pipeline', { project, id: String(pipeline.id) }))
    },
  })
  const shown = new Map(
    Array.from({ length: chosen.size === 0 ? 0 : Math.min(list.count, MAX_REFRESHED) }, (_, index) =>
      list.rowAt(index),
    ).flatMap((pipeline) => (pipeline ? [[pipeline.id, pipeline] as const] : [])),
  )
  const setFilter = (filter: string | undefined) =>
    setSearch(
      Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, name === 'filter' ? filter : undefined])),
    )
  const isFiltered = text !== '' || scope !== ''
  return (
    <>
      <PageHeader
        title="Pipelines"
        actions={
          <>
            <LinkButton icon={ChartLine} href={addressOf('pipelines/charts', { project })}>
              Charts
            </LinkButton>
            {may('delete_caches') && (
              <ClearCachesButton project={project} reason={reasonAgainst('delete_caches')} />
            )}
            {may('run_pipelines') && (
              <LinkButton
                kind="primary"
                icon={Play}
                reason={reasonAgainst('run_pipelines')}
                href={addressOf('pipelines/new', { project })}
              >
                Run pipeline
              </LinkButton>
            )}
          </>
        }
      />
      <Tabs
        label="Pipelines"
        tabs={SCOPES.map(([value, label, name]) => ({
          label,
          href: addressOf(
            'pipelines/list',
            { project },
            { scope: value || undefined, filter: text || undefined },
          ),
          isCurrent: scope === value,
          count: isSearch
            ? undefined
            : counts.data && formatCount(counts.data[name].count, counts.data[name].more),
        }))}
      />
      <Tools class={styles['tools']}>
        <FilterField project={project} value={text} onChange={setFilter} />
        <SavedFilters value={text} onChange={setFilter} />
      </Tools>
      {unknown.length > 0 && (
        <Alert tone="warning">
          {unknown.length === 1 ? `${unknown[0]} is not a filter.` : `${unknown.join(', ')} are not filters.`}{' '}
          Write filters such as <code>status:failed</code> or <code>after:2026-11-01</code>.
        </Alert>
      )}
      {chosen.size > 0 && (
        <ChosenBar
          project={project}
          // Pipelines may have changed since they were selected.
          chosen={[...chosen.values()].map((known) => shown.get(known.id) ?? known)}
          onClear={() => setChosen(new Map())}
          onChanged={reload}
        />
      )}
      {unseen > 0 && (
        <Button
          class={styles['unseen']}
          onClick={() => {
            handle.current?.scrollToRow(0)
            reload()
          }}
        >
          {unseen} new
        </Button>
      )}
      <Missing what="Some pipelines" failure={list.failure} />
      <Panel isFlush>
        {list.error ? (
          <Problem error={list.error} retry={list.refetch} />
        ) : list.isLoading ? (
          <Skeleton rows={8} />
        ) : list.count === 0 ? (
          <NoPipelines
            project={project}
            isFiltered={isFiltered}
            clear={() => navigate(addressOf('pipelines/list', { project }))}
          />
        ) : (
          <Rows
            handle={handle}
            label="Pipelines"
            role="list"
            count={list.count}
            rowHeight={rowHeight}
            class={styles['rows']}
            onWindow={list.show}
            render={(index) => {
              const pipeline = list.rowAt(index)
              return (
                <PipelineRow
                  key={pipeline?.id ?? `row ${index}`}
                  project={project}
                  pipeline={pipeline}
                  stageMarks={stageMarks}
                  isCurrent={index === current}
                  isChosen={pipeline !== undefined && chosen.has(pipeline.id)}
                  onChoose={mayChoose && pipeline ? (isChosen) => choose(pipeline, isChosen) : undefined}
                  onChanged={reload}
                />
              )
            }}
          />
        )}
      </Panel>
    </>
  )
}

function NoPipelines({
  project,
  isFiltered,
  clear,
}: {
  project: string
  isFiltered: boolean
  clear: () => void
}) {
  if (isFiltered) {
    return (
      <Empty
        icon={Workflow}
        title="No pipeline matches."
        action={<Button onClick={clear}>Show all pipelines</Button>}
      />
    )
  }
  return (
    <Empty
      icon={Workflow}
      title="No pipeline has run yet."
      action={
        <LinkButton icon={SquarePen} href={addressOf('editor/edit', { project })}>
          Pipeline editor
        </LinkButton>
      }
    >
      A push starts a pipeline as soon as the repository has a file <code>.gitlab-ci.yml</code>.
    </Empty>
  )
}
