import { ExternalLink, RotateCcw, Square } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import type { EnvironmentSummary } from '../../../coordinator/ci/environments/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { Button } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { CheckBox } from '../../kit/field.js'
import { Icon } from '../../kit/icon.js'
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

interface RedeployProps {
  project: string
  deployment: ShownDeployment
  /** "Deploy again" for the present deployment, "Roll back" for an earlier one. */
  label: string
}

/** Runs the job of a deployment again. */
export function Redeploy({ project, deployment, label }: RedeployProps) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const [isAsking, setAsking] = useState(false)
  const job = deployment.deployable
  const run = useAction(async (id: number) => {
    await requestJson(`${projectApi(project)}/jobs/${id}/retry`, { method: 'POST' })
    setAsking(false)
    notify(`${job?.name ?? 'The job'} was started again`)
    await refresh(`${projectApi(project)}/environments`, `${projectApi(project)}/deployments`)
  }, notifyError)
  if (!job || !may('run_pipelines')) return null
  return (
    <>
      <Button
        size="small"
        icon={RotateCcw}
        reason={reasonAgainst('run_pipelines')}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`${label}: ${deployment.environment.name}`}
          action={label}
          isBusy={run.isBusy}
          onConfirm={() => void run.run(job.id)}
          onClose={() => setAsking(false)}
        >
          <p>
            The job {job.name} of pipeline #{job.pipeline.id} runs again. It deploys commit{' '}
            {deployment.sha.slice(0, 8)} of {deployment.ref} to {deployment.environment.name}.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Stops an environment: runs the job that its CI file names for it. */
export function StopEnvironment({
  project,
  environment,
}: {
  project: string
  environment: EnvironmentSummary
}) {
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
        reason={reasonAgainst('manage_environments')}
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
