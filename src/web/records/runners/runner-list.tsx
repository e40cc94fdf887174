import { Lock, Pause, Play, Server, Shield, Trash2 } from 'lucide'
import { useMemo, useState } from 'preact/hooks'

import type { RunnerUse } from '../../../coordinator/ci/runner-statistics/schema.js'
import type { DetailedRunner } from '../../../coordinator/ci/runners/schema.js'
import { boot } from '../../api/boot.js'
import { useRead } from '../../api/use-read.js'
import { LoadMore } from '../../frame/load-more.js'
import { useSearch } from '../../frame/location.js'
import { ReadRows } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { IconButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { CheckBox, Input, Select } from '../../kit/field.js'
import { Icon } from '../../kit/icon.js'
import { Panel } from '../../kit/panel.js'
import { SearchField } from '../../kit/search-field.js'
import { type Column, Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import { DeleteStale } from './delete-stale.js'
import { PauseRunners } from './pause-runners.js'
import styles from './runner-list.module.css'
import { isOwnRunner, runnerAddress, type RunnerScope } from './runner-scope.js'
import { RUNNER_TYPES, RunnerStatus } from './runner-status.js'
import { useListedRunners } from './use-listed-runners.js'
import { runnerName, useRunnerActions } from './use-runner-actions.js'

const STATUSES = ['online', 'offline', 'stale', 'paused', 'never_contacted']

/** The runners of a scope, newest first, filtered by the server. */
export function RunnerList({ scope }: { scope: RunnerScope }) {
  const [query, setSearch] = useSearch()
  const filters = {
    search: query.get('search') ?? '',
    status: query.get('status') ?? '',
    type: query.get('type') ?? '',
    tags: query.get('tags') ?? '',
  }
  const { rows, result, next } = useListedRunners(scope, filters)
  const actions = useRunnerActions(scope)
  const shares = useBusyShares(scope)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const isOwn = (runner: DetailedRunner) => boot.user?.is_admin === true || isOwnRunner(scope, runner)
  const own = rows.filter(isOwn)
  const chosen = own.filter(({ id }) => selected.has(id))
  const select = (runners: readonly DetailedRunner[], isSelected: boolean) => {
    const next = new Set(selected)
    for (const { id } of runners) {
      if (isSelected) next.add(id)
      else next.delete(id)
    }
    setSelected(next)
  }
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const columns: Column<DetailedRunner>[] = [
    ...(own.length > 1
      ? [
          {
            title: 'Select',
            hidesTitle: true,
            cell: (runner: DetailedRunner) =>
              isOwn(runner) && (
                <CheckBox
                  label={<span class="visually-hidden">{`Select ${runnerName(runner)}`}</span>}
                  checked={selected.has(runner.id)}
                  onInput={(isSelected) => select([runner], isSelected)}
                />
              ),
          },
        ]
      : []),
    {
      title: 'Status',
      isMain: true,
      cell: ({ status, paused, running_jobs: jobs }) => (
        <RunnerStatus status={paused && jobs > 0 ? 'draining' : status} />
      ),
    },
    { title: 'Runner', isMain: true, cell: (runner) => <Name scope={scope} runner={runner} /> },
    {
      title: 'Type',
      isDetail: true,
      isShort: true,
      cell: ({ runner_type: type }) => RUNNER_TYPES[type] ?? type,
    },
    { title: 'Version', isDetail: true, cell: ({ version }) => version ?? '–' },
    { title: 'Jobs', isNumber: true, cell: ({ running_jobs: jobs }) => jobs },
    {
      title: 'Concurrency',
      isDetail: true,
      isNumber: true,
      cell: ({ concurrency }) => concurrency ?? '–',
    },
    ...(scope.kind === 'instance'
      ? [
          {
            title: 'Busy, 24 h',
            isDetail: true,
            isNumber: true,
            cell: ({ id }: DetailedRunner) => shares.get(id) ?? '–',
          },
        ]
      : []),
    { title: 'Last contact', cell: ({ contacted_at: at }) => <Time value={at} /> },
    {
      title: 'Actions',
      hidesTitle: true,
      cell: (runner) =>
        isOwn(runner) && (
          <span class={styles['actions']}>
            <IconButton
              size="small"
              icon={runner.paused ? Play : Pause}
              label={`${runner.paused ? 'Resume' : 'Pause'} ${runnerName(runner)}`}
              isBusy={actions.pause.isBusy}
              onClick={() => void actions.pause.run(runner)}
            />
            <IconButton
              size="small"
              icon={Trash2}
              label={`Delete ${runnerName(runner)}`}
              onClick={() => actions.askToDelete(runner)}
            />
          </span>
        ),
    },
  ]
  return (
    <>
      <div class={styles['tools']}>
        <SearchField
          label="Find runners"
          placeholder="Description"
          value={filters.search}
          onSearch={(search) => setSearch({ search })}
        />
        <Select
          hidesLabel
          label="Status"
          value={filters.status}
          onInput={(status) => setSearch({ status })}
          choices={[
            { value: '', label: 'All statuses' },
            ...STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
          ]}
        />
        {scope.kind === 'instance' && (
          <Select
            hidesLabel
            label="Type"
            value={filters.type}
            onInput={(type) => setSearch({ type })}
            choices={[
              { value: '', label: 'All types' },
              ...Object.entries(RUNNER_TYPES).map(([value, label]) => ({ value, label })),
            ]}
          />
        )}
        <Input
          hidesLabel
          label="Tags"
          placeholder="Tags: linux, gpu"
          value={filters.tags}
          onInput={(tags) => setSearch({ tags })}
          spellcheck={false}
        />
        <DeleteStale scope={scope} />
      </div>
      <Panel
        isFlush
        {...(own.length > 1 && {
          title: (
            <CheckBox
              label={<span class={styles['all']}>All {own.length} runners shown</span>}
              checked={chosen.length === own.length}
              onInput={(isSelected) => select(own, isSelected)}
            />
          ),
          actions: <PauseRunners scope={scope} runners={chosen} onDone={() => setSelected(new Set())} />,
        })}
      >
        <ReadRows
          of={{ rows, result }}
          outline={6}
          empty={
            isFiltered ? (
              <Empty icon={Server} title="No runner matches." />
            ) : (
              <Empty icon={Server} title="There is no runner yet.">
                A runner takes jobs and runs them in containers, on this machine or on others.
              </Empty>
            )
          }
        >
          <Table<DetailedRunner> label="Runners" rows={rows} keyOf={({ id }) => id} columns={columns} />
        </ReadRows>
      </Panel>
      <LoadMore of="runners" next={next} />
      {actions.dialog}
    </>
  )
}

/** How much of the last day runners had a job, by their IDs; the API has those of the busiest 100. */
function useBusyShares({ kind }: RunnerScope): ReadonlyMap<number, string> {
  const use = useRead<RunnerUse>(kind === 'instance' ? '/runners/use' : undefined, { staleTime: 60_000 })
  return useMemo(
    () => new Map(use.data?.runners.map(({ id, busy }) => [id, `${Math.round(100 * busy)} %`])),
    [use.data],
  )
}

function Name({ scope, runner }: { scope: RunnerScope; runner: DetailedRunner }) {
  const { id, access_level: level, locked, tag_list: tags, run_untagged: untagged, weight } = runner
  return (
    <span class={styles['name']}>
      <a href={runnerAddress(scope, id)}>{runnerName(runner)}</a>
      <span class={styles['quiet']}>#{id}</span>
      {level === 'ref_protected' && (
        <span class={styles['quiet']} title="Runs only jobs of protected branches and tags">
          <Icon icon={Shield} size={14} label="protected" />
        </span>
      )}
      {locked && (
        <span class={styles['quiet']} title="Cannot be enabled in other projects">
          <Icon icon={Lock} size={14} label="locked" />
        </span>
      )}
      {weight !== 0 && <span class={styles['quiet']}>weight {weight}</span>}
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {tags.length > 0 && !untagged && <span class={styles['quiet']}>tagged jobs only</span>}
    </span>
  )
}
