import { Ellipsis, KeyRound, Pause, Play, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { RunnerDetails } from '../../../coordinator/ci/runners/schema.js'
import { boot } from '../../api/boot.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { useRead } from '../../api/use-read.js'
import { useTitle } from '../../frame/document-title.js'
import { navigate, useSearch } from '../../frame/location.js'
import { notifyError } from '../../frame/notices.js'
import { Read } from '../../frame/problem.js'
import { Alert } from '../../kit/alert.js'
import { Badge } from '../../kit/badge.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Menu, MenuItem, MenuLine } from '../../kit/menu.js'
import { PageHeader } from '../../kit/panel.js'
import { Tabs } from '../../kit/tabs.js'
import { Time } from '../../kit/time.js'
import { useLive } from '../../live/use-live.js'
import { groupPathIn } from '../namespaces.js'
import { Registration } from './new-runner.js'
import { RunnerFacts } from './runner-facts.js'
import { RunnerJobs } from './runner-jobs.js'
import { RunnerMachines } from './runner-machines.js'
import { RunnerProjects } from './runner-projects.js'
import { runnerAddress, runnersAddress, type RunnerScope, runnersTopic } from './runner-scope.js'
import { RunnerSettings } from './runner-settings.js'
import { RunnerStatistics } from './runner-statistics.js'
import { RUNNER_TYPES, RunnerStatus } from './runner-status.js'
import styles from './runner-view.module.css'
import { runnerName, useRunnerActions } from './use-runner-actions.js'

/** One runner: its jobs, machines, statistics, projects and settings. */
export function RunnerView({ scope, id }: { scope: RunnerScope; id: string }) {
  const path = `/runners/${encodeURIComponent(id)}`
  const runner = useRead<RunnerDetails>(path, { refetchInterval: 30_000 })
  useTitle(`${runner.data ? runnerName(runner.data) : 'Runner'}${scope.path && ` · ${scope.path}`}`)
  useLive(
    [runnersTopic(scope)],
    {
      runner: (message) => {
        if (message.id === runner.data?.id) void runner.refetch()
      },
    },
    () => void runner.refetch(),
  )
  return (
    <Read of={runner} title="Runner">
      {(record) => <Loaded scope={scope} runner={record} mayChange={mayChange(scope, record)} />}
    </Read>
  )
}

/** Administrators change all runners, owners of a group its runners, and maintainers those of their projects. */
function mayChange({ kind, id }: RunnerScope, { runner_type: type, groups }: RunnerDetails): boolean {
  if (boot.user?.is_admin) return true
  if (kind === 'group') return groups.some((group) => group.id === id)
  return kind === 'project' && type === 'project_type'
}

interface LoadedProps {
  scope: RunnerScope
  runner: RunnerDetails
  mayChange: boolean
}

function Loaded({ scope, runner, mayChange: isManager }: LoadedProps) {
  const [search] = useSearch()
  const views = [
    { value: '', label: 'Jobs' },
    { value: 'machines', label: 'Machines' },
    ...(boot.user?.is_admin ? [{ value: 'statistics', label: 'Waits and use' }] : []),
    ...(runner.runner_type === 'project_type' ? [{ value: 'projects', label: 'Projects' }] : []),
    { value: 'settings', label: 'Settings' },
  ]
  const view = views.find(({ value }) => value === (search.get('view') ?? ''))?.value ?? ''
  const address = runnerAddress(scope, runner.id)
  return (
    <>
      <PageHeader
        title={
          <>
            <span>{runnerName(runner)}</span>
            <span class={styles['number']}>#{runner.id}</span>
            <RunnerStatus status={runner.status} />
            {runner.job_execution_status === 'active' && <Badge tone="accent">busy</Badge>}
          </>
        }
        details={
          <>
            <a href={runnersAddress(scope)}>Runners</a>
            <span>{RUNNER_TYPES[runner.runner_type]} runner</span>
            {runner.ip_address !== null && <span>{runner.ip_address}</span>}
            <span>
              last contact <Time value={runner.contacted_at} />
            </span>
          </>
        }
        actions={isManager && <Actions scope={scope} runner={runner} />}
      />
      {runner.maintenance_note && (
        <div class={styles['note']}>
          <Alert title="Maintenance">{runner.maintenance_note}</Alert>
        </div>
      )}
      <RunnerFacts runner={runner} />
      {isManager ? (
        <>
          <Tabs
            label="Runner"
            tabs={views.map(({ value, label }) => ({
              label,
              href: value === '' ? address : `${address}?view=${value}`,
              isCurrent: value === view,
            }))}
          />
          <div class={styles['content']}>
            {view === '' && <RunnerJobs id={runner.id} />}
            {view === 'machines' && <RunnerMachines id={runner.id} />}
            {view === 'statistics' && <RunnerStatistics id={runner.id} />}
            {view === 'projects' && <RunnerProjects runner={runner} />}
            {view === 'settings' && <RunnerSettings key={runner.id} runner={runner} />}
          </div>
        </>
      ) : (
        <Alert>
          <ManagedBy runner={runner} />
        </Alert>
      )}
    </>
  )
}

function ManagedBy({ runner: { id, runner_type: type, groups } }: { runner: RunnerDetails }) {
  const [group] = groups
  if (type === 'instance_type') return <>Administrators manage the runners of the instance.</>
  if (!group) return <>Maintainers of its projects manage this runner.</>
  const path = groupPathIn(group.web_url)
  return (
    <>
      Owners of the group {group.name} manage this runner:{' '}
      <a href={runnerAddress({ kind: 'group', path, id: group.id }, id)}>its page in the group</a>.
    </>
  )
}

function Actions({ scope, runner }: { scope: RunnerScope; runner: RunnerDetails }) {
  const actions = useRunnerActions(scope, () => navigate(runnersAddress(scope)))
  const [isAsking, setAsking] = useState(false)
  const [token, setToken] = useState<string>()
  const rotate = useAction(async () => {
    const made = await requestJson<{ token: string }>(`/runners/${runner.id}/reset_authentication_token`, {
      method: 'POST',
    })
    setAsking(false)
    setToken(made.token)
  }, notifyError)
  return (
    <>
      <Button
        icon={runner.paused ? Play : Pause}
        isBusy={actions.pause.isBusy}
        onClick={() => void actions.pause.run(runner)}
      >
        {runner.paused ? 'Resume' : 'Pause'}
      </Button>
      <Menu name="More actions" icon={Ellipsis}>
        <MenuItem icon={KeyRound} onSelect={() => setAsking(true)}>
          Rotate the token
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} isDangerous onSelect={() => actions.askToDelete(runner)}>
          Delete runner
        </MenuItem>
      </Menu>
      {actions.dialog}
      {isAsking && (
        <ConfirmDialog
          title={`Rotate the token of ${runnerName(runner)}?`}
          action="Rotate token"
          isBusy={rotate.isBusy}
          onConfirm={() => void rotate.run()}
          onClose={() => setAsking(false)}
        >
          <p>The present token becomes invalid. The machines of this runner must be registered again.</p>
        </ConfirmDialog>
      )}
      {token !== undefined && (
        <Registration runner={{ id: runner.id, token }} onClose={() => setToken(undefined)} isRotated />
      )}
    </>
  )
}
