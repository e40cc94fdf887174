import {
  CirclePlay,
  CircleX,
  Eraser,
  Hourglass,
  OctagonX,
  PackageX,
  RotateCcw,
  SquareTerminal,
  TimerOff,
  Variable,
} from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { MAINTAINER } from '../../../../coordinator/access/access-levels.js'
import type { DetailedJob } from '../../../../coordinator/ci/jobs/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { isOver } from '../../../job-log/use-job.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { useKeys } from '../../../kit/keys.js'
import { Menu, MenuItem } from '../../../kit/menu.js'
import { RunDialog } from './run-dialog.js'

interface JobActionsProps {
  project: string
  job: DetailedJob
  /** The job in the API, such as `/projects/5/jobs/9`. */
  base: string
}

/** The dialog that opens before an action: the form of a run, or a question. */
type Asked =
  | { kind: 'run'; action: 'play' | 'retry'; asksForVariables: boolean }
  | { kind: 'erase' }
  | { kind: 'force' }
  | { kind: 'delete-artifacts' }

/** Buttons that run, retry, cancel or erase a job. */
export function JobActions({ project, job, base }: JobActionsProps) {
  const { may, reasonAgainst, level } = useProjectAbilities(project)
  const [asked, setAsked] = useState<Asked>()
  const send = async (name: string, body: object = {}) => {
    const changed = await requestJson<{ id: number }>(`${base}/${name}`, { method: 'POST', body })
    setAsked(undefined)
    if (name === 'erase') notify('The log and the artifacts were erased')
    if (changed.id === job.id) await refresh(base)
    else navigate(addressOf('jobs/job', { project, id: String(changed.id) }))
    await refresh(`${projectApi(project)}/pipelines/${job.pipeline.id}`)
  }
  const act = useAction(send, notifyError)
  const deletion = useAction(async () => {
    await requestJson(`${base}/artifacts`, { method: 'DELETE' })
    setAsked(undefined)
    notify('The artifacts were deleted')
    await refresh(base)
  }, notifyError)
  const has = (name: DetailedJob['actions'][number]) => job.actions.includes(name)
  const mayRun = may('run_pipelines')
  const play = () => {
    if (job.manual_confirmation === null && job.inputs.length === 0) void act.run('play')
    else setAsked({ kind: 'run', action: 'play', asksForVariables: false })
  }
  const ask = (action: 'play' | 'retry', asksForVariables: boolean) =>
    setAsked({ kind: 'run', action, asksForVariables })
  useKeys({
    ...(mayRun && has('retry') && { r: () => void act.run('retry') }),
    ...(mayRun && has('cancel') && { c: () => void act.run('cancel') }),
    ...(mayRun && has('play') && { p: () => ask('play', false) }),
  })
  if (!mayRun) return null
  const reason = reasonAgainst('run_pipelines')
  const isRunnerJob = job.kind === 'job'
  const mayForce = job.status === 'canceling' && level >= MAINTAINER
  const mayErase = isOver(job.status) && job.erased_at === null && isRunnerJob
  const mayDelete =
    isOver(job.status) &&
    may('delete_artifacts') &&
    job.artifacts_file !== undefined &&
    job.artifacts_expired_at === null
  // The token of the job acts for the person who started it.
  const mayEnter = job.opens_shells && (job.user?.id === boot.user?.id || boot.user?.is_admin === true)
  const mayGive = isRunnerJob && (has('play') || has('retry'))
  return (
    <>
      {has('play') && (
        <Button kind="primary" icon={CirclePlay} isBusy={act.isBusy} reason={reason} onClick={play}>
          {job.status === 'scheduled' ? 'Start now' : 'Run'}
        </Button>
      )}
      {has('unschedule') && (
        <Button
          icon={TimerOff}
          isBusy={act.isBusy}
          reason={reason}
          onClick={() => void act.run('unschedule')}
        >
          Unschedule
        </Button>
      )}
      {has('retry') && (
        <Button icon={RotateCcw} isBusy={act.isBusy} reason={reason} onClick={() => void act.run('retry')}>
          Retry
        </Button>
      )}
      {mayEnter && (
        <LinkButton icon={SquareTerminal} href={addressOf('jobs/terminal', { project, id: String(job.id) })}>
          Shell
        </LinkButton>
      )}
      {has('cancel') && (
        <Button icon={CircleX} isBusy={act.isBusy} reason={reason} onClick={() => void act.run('cancel')}>
          Cancel
        </Button>
      )}
      {mayForce && (
        <Button
          icon={OctagonX}
          isBusy={act.isBusy}
          reason={reason}
          onClick={() => setAsked({ kind: 'force' })}
        >
          Force cancel
        </Button>
      )}
      {(mayGive || mayDelete || mayErase) && (
        <Menu name="More actions">
          {mayGive && has('play') && (
            <MenuItem icon={Variable} reason={reason} onSelect={() => ask('play', true)}>
              Run with variables…
            </MenuItem>
          )}
          {mayGive && has('retry') && (
            <MenuItem
              icon={Hourglass}
              reason={reason}
              onSelect={() => void act.run('retry', { hold: 'failure' })}
            >
              Retry and hold when it fails
            </MenuItem>
          )}
          {mayGive && has('retry') && (
            <MenuItem icon={Variable} reason={reason} onSelect={() => ask('retry', true)}>
              Retry with variables…
            </MenuItem>
          )}
          {mayDelete && (
            <MenuItem
              icon={PackageX}
              isDangerous
              reason={reasonAgainst('delete_artifacts')}
              onSelect={() => setAsked({ kind: 'delete-artifacts' })}
            >
              Delete artifacts
            </MenuItem>
          )}
          {mayErase && (
            <MenuItem icon={Eraser} isDangerous reason={reason} onSelect={() => setAsked({ kind: 'erase' })}>
              Erase log and artifacts
            </MenuItem>
          )}
        </Menu>
      )}
      {asked?.kind === 'run' && (
        <RunDialog
          job={job}
          action={asked.action}
          asksForVariables={asked.asksForVariables}
          onRun={(body) => send(asked.action, body)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === 'force' && (
        <ConfirmDialog
          title={`Force cancel ${job.name}?`}
          action="Force cancel"
          isBusy={act.isBusy}
          onConfirm={() => void act.run('cancel', { force: true })}
          onClose={() => setAsked(undefined)}
        >
          <p>The job ends at once, although its runner may still be cleaning up.</p>
        </ConfirmDialog>
      )}
      {asked?.kind === 'delete-artifacts' && (
        <ConfirmDialog
          title={`Delete the artifacts of ${job.name}?`}
          action="Delete"
          isBusy={deletion.isBusy}
          onConfirm={() => void deletion.run()}
          onClose={() => setAsked(undefined)}
        >
          <p>The log remains. This cannot be undone.</p>
        </ConfirmDialog>
      )}
      {asked?.kind === 'erase' && (
        <ConfirmDialog
          title={`Erase ${job.name}?`}
          action="Erase"
          isBusy={act.isBusy}
          onConfirm={() => void act.run('erase')}
          onClose={() => setAsked(undefined)}
        >
          <p>The log and the artifacts of this job are deleted. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
