import { ExternalLink, Play, RotateCcw, Square, Timer } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import type { EnvironmentSummary } from '../../../coordinator/ci/environments/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Badge } from '../../kit/badge.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { CheckBox } from '../../kit/field.js'
import { Icon } from '../../kit/icon.js'
import { Time } from '../../kit/time.js'
import { safeAddress, shownAddress } from './arrange.js'
import type { ShownDeployment } from './deployment-line.js'
import styles from './environments.module.css'

/** The address of an environment; other schemes than HTTP are shown as text. */
export function EnvironmentAddress({ address }: { address: string | null }) {
  const href = safeAddress(address)
  if (address === null) return null
  if (href === undefined) return <span class={styles['quiet']}>{address}</span>
  return (
    <a class={styles['address']} href={href} rel="noreferrer noopener" target="_blank">
      {shownAddress(href)}
      <Icon icon={ExternalLink} size={14} label="opens in a new tab" />
    </a>
  )
}

/**
 * Why a user cannot change an environment or deploy to it now.
 * @param reason why the permission of the user does not suffice
 * @param canDeploy false if the rules of protected environments exclude the user
 */
export function deployReason(reason: string | undefined, canDeploy: boolean | undefined): string | undefined {
  if (reason !== undefined || canDeploy !== false) return reason
  return 'The environment is protected, and you are not among those who may deploy to it.'
}

interface DeployProps {
  project: string
  deployment: ShownDeployment
  /** False if the rules of protected environments exclude the user. */
  canDeploy: boolean | undefined
}

interface RedeployProps extends DeployProps {
  /** "Deploy again" for the present deployment, "Roll back" for an earlier one. */
  label: string
}

/** Runs the job of a deployment again. */
export function Redeploy(props: RedeployProps) {
  const title = `${props.label}: ${props.deployment.environment.name}`
  return <RunDeployment {...props} action="retry" title={title} />
}

/** Starts the manual job of a deployment that waits for a user. */
export function StartDeployment(props: DeployProps) {
  const { status, deployable, environment } = props.deployment
  if (status !== 'blocked' || deployable?.status !== 'manual') return null
  return <RunDeployment {...props} action="play" label="Deploy" title={`Deploy to ${environment.name}?`} />
}

const RUNS = {
  play: { icon: Play, runs: 'starts', done: 'was started' },
  retry: { icon: RotateCcw, runs: 'runs again', done: 'was started again' },
}

interface RunDeploymentProps extends RedeployProps {
  action: keyof typeof RUNS
  /** Title of the question. */
  title: string
}

/** A button that runs the job of a deployment, after a question. */
function RunDeployment({ project, deployment, canDeploy, label, action, title }: RunDeploymentProps) {
  const { icon, runs, done } = RUNS[action]
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [isAsking, setAsking] = useState(false)
  const job = deployment.deployable
  const run = useAction(async (id: number) => {
    await requestJson(`${projectApi(project)}/jobs/${id}/${action}`, { method: 'POST' })
    setAsking(false)
    notify(`${job?.name ?? 'The job'} ${done}`)
    await refresh(`${projectApi(project)}/environments`, `${projectApi(project)}/deployments`)
  }, notifyError)
  if (!job || !may('run_pipelines')) return null
  return (
    <>
      <Button
        size="small"
        icon={icon}
        reason={deployReason(reasonAgainst('run_pipelines'), canDeploy)}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={title}
          action={label}
          isBusy={run.isBusy}
          onConfirm={() => void run.run(job.id)}
          onClose={() => setAsking(false)}
        >
          <p>
            The job {job.name} of pipeline #{job.pipeline.id} {runs}. It deploys commit{' '}
            {deployment.sha.slice(0, 8)} of {deployment.ref} to {deployment.environment.name}.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface EnvironmentActionProps {
  project: string
  environment: EnvironmentSummary & { can_deploy?: boolean }
}

/** Stops an environment: runs the job that its CI file names for it. */
export function StopEnvironment({ project, environment }: EnvironmentActionProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [isAsking, setAsking] = useState(false)
  const [isForced, setForced] = useState(false)
  const path = `${projectApi(project)}/environments`
  const stop = useAction(async () => {
    await requestJson(`${path}/${environment.id}/stop`, { method: 'POST', body: { force: isForced } })
    setAsking(false)
    notify(`${environment.name} is being stopped`)
    await refresh(path)
  }, notifyError)
  if (!may('manage_environments') || environment.state !== 'available') return null
  return (
    <>
      <Button
        size="small"
        icon={Square}
        reason={deployReason(reasonAgainst('manage_environments'), environment.can_deploy)}
        onClick={() => setAsking(true)}
      >
        Stop
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Stop ${environment.name}?`}
          action="Stop environment"
          isBusy={stop.isBusy}
          onConfirm={() => void stop.run()}
          onClose={() => setAsking(false)}
        >
          <p>The job that stops the environment runs, if the CI file names one with on_stop.</p>
          <CheckBox label="Stop without running that job" checked={isForced} onInput={setForced} />
        </ConfirmDialog>
      )}
    </>
  )
}

/** The time at which an environment stops automatically, and a button that cancels this. */
export function AutoStop({ project, environment }: EnvironmentActionProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const { id, name, state, auto_stop_at: at, can_deploy: canDeploy } = environment
  const path = `${projectApi(project)}/environments`
  const keep = useAction(async () => {
    await requestJson(`${path}/${id}`, { method: 'PUT', body: { cancel_auto_stop: true } })
    notify(`${name} no longer stops by itself`)
    await refresh(path)
  }, notifyError)
  if (at === null || state === 'stopped') return null
  return (
    <span class={styles['stops']}>
      <Icon icon={Timer} size={14} />
      <span>
        stops <Time value={at} />
      </span>
      {may('manage_environments') && (
        <Button
          size="small"
          kind="ghost"
          isBusy={keep.isBusy}
          title="Do not stop it by itself; the next deployment sets the time again"
          reason={deployReason(reasonAgainst('manage_environments'), canDeploy)}
          onClick={() => void keep.run()}
        >
          Keep
        </Button>
      )}
    </span>
  )
}

/** A mark for environments to which only some may deploy. */
export function ProtectedMark({ isProtected }: { isProtected: boolean | undefined }) {
  if (!isProtected) return null
  return (
    <Badge tone="accent" title="Only some may deploy to it">
      protected
    </Badge>
  )
}
