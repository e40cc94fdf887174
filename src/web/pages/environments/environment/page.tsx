import { Rocket, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Environment } from '../../../../coordinator/ci/environments/schema.js'
import type { JobDetails } from '../../../../coordinator/ci/jobs/details/schema.js'
import type { DetailedResourceGroup } from '../../../../coordinator/ci/resource-groups/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { navigate } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read, ReadRows } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel, Panels } from '../../../kit/panel.js'
import { useLive } from '../../../live/use-live.js'
import { ResourceQueue } from '../../../records/resource-queue.js'
import type { SettingField } from '../../../records/settings-fields.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { Approvals } from '../approvals.js'
import { TIERS } from '../arrange.js'
import { type Deployment, DeploymentLine, shownDeployment } from '../deployment-line.js'
import {
  AutoStop,
  deployReason,
  EnvironmentAddress,
  ProtectedMark,
  Redeploy,
  StartDeployment,
  StopEnvironment,
} from '../environment-actions.js'
import styles from '../environments.module.css'
import { NewCommits } from '../new-commits.js'

const FIELDS: readonly SettingField[] = [
  { name: 'external_url', label: 'Address', kind: 'text', placeholder: 'https://example.com' },
  {
    name: 'tier',
    label: 'Tier',
    kind: 'select',
    choices: TIERS.map((tier) => ({ value: tier, label: tier })),
  },
  {
    name: 'auto_stop_setting',
    label: 'Stops by itself',
    kind: 'select',
    choices: [
      { value: 'always', label: 'When its branch is deleted, or its time has passed' },
      { value: 'with_action', label: 'Only when its time has passed' },
    ],
  },
  { name: 'description', label: 'Description', kind: 'area' },
]

/** An environment: what is deployed, its deployments in time, and its settings. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  const environment = useRead<Environment>(`${projectApi(project)}/environments/${id}?with_details=true`)
  useTitle(`${environment.data?.name ?? 'Environment'} · ${project}`)
  return (
    <Read of={environment} title="Environment">
      {(found) => <FoundEnvironment project={project} environment={found} />}
    </Read>
  )
}

function FoundEnvironment({ project, environment }: { project: string; environment: Environment }) {
  const { id, name, tier, state, external_url: address, can_deploy: canDeploy } = environment
  const { may, reasonAgainst } = useProjectAbilities(project)
  const path = `${projectApi(project)}/environments`
  const last = environment.last_deployment ? shownDeployment(environment.last_deployment) : undefined
  return (
    <>
      <PageHeader
        title={name}
        details={
          <span class={styles['head']}>
            <ProtectedMark isProtected={environment.protected} />
            {tier !== name && <Badge>{tier}</Badge>}
            {state !== 'available' && <Badge tone="warning">{state}</Badge>}
            <EnvironmentAddress address={address} />
            <AutoStop project={project} environment={environment} />
          </span>
        }
        actions={
          <>
            {last && <Redeploy {...{ project, canDeploy }} deployment={last} label="Deploy again" />}
            <StopEnvironment project={project} environment={environment} />
            {may('manage_environments') && state === 'stopped' && (
              <DeleteEnvironment {...{ project, id, name, canDeploy }} />
            )}
          </>
        }
      />
      <Panels>
        <Deployments {...{ project, name, canDeploy }} currentId={last?.id} />
        {last?.deployable && may('read_resource_groups') && (
          <Resource project={project} jobId={last.deployable.id} />
        )}
        {may('manage_environments') && (
          <SettingsForm
            title="Settings"
            path={`${path}/${id}`}
            fields={FIELDS}
            values={{ ...environment }}
            reason={deployReason(reasonAgainst('manage_environments'), canDeploy)}
            onSaved={() => refresh(path)}
          />
        )}
      </Panels>
    </>
  )
}

interface DeploymentsProps {
  project: string
  name: string
  /** The deployment that is there now. */
  currentId: number | undefined
  canDeploy: boolean | undefined
}

function Deployments({ project, name, currentId, canDeploy }: DeploymentsProps) {
  const api = projectApi(project)
  const query = queryOf({ environment: name, order_by: 'id', sort: 'desc', per_page: 20 })
  const { rows, result, next } = useReadList<Deployment>(`${api}/deployments${query}`)
  const { data: record } = useRead<SimpleProject>(api, { staleTime: 60_000 })
  const reread = () => void refresh(`${api}/deployments`, `${api}/environments`, `${api}/resource_groups`)
  useLive(
    record ? [`project/${record.id}`] : [],
    {
      pipeline: ({ project_id: of }) => {
        if (of === record?.id) reread()
      },
    },
    reread,
  )
  return (
    <Panel isFlush title="Deployments">
      <ReadRows
        of={{ rows, result }}
        outline={4}
        empty={<Empty icon={Rocket} title="Nothing was deployed yet." />}
      >
        <ol class={styles['timeline']} aria-label="Deployments">
          {rows.map((row, index) => {
            const deployment = shownDeployment(row)
            const before = rows.slice(index + 1).find(({ status }) => status === 'success')
            return (
              <li key={row.id}>
                <DeploymentLine project={project} deployment={deployment} />
                <span class={styles['actions']}>
                  {row.id === currentId && <Badge tone="success">now there</Badge>}
                  {before && before.sha !== row.sha && (
                    <NewCommits
                      project={project}
                      from={before.sha}
                      to={row.sha}
                      relation={`since ${before.sha.slice(0, 8)}`}
                    />
                  )}
                  {row.status === 'blocked' && <Approvals project={project} deployment={row} />}
                  <StartDeployment {...{ project, deployment, canDeploy }} />
                  {row.status === 'success' && row.id !== currentId && (
                    <Redeploy {...{ project, deployment, canDeploy }} label="Roll back" />
                  )}
                </span>
              </li>
            )
          })}
        </ol>
      </ReadRows>
      <LoadMore of="deployments" next={next} />
    </Panel>
  )
}

/** The resource group of the job that deploys, and the jobs that wait for it. */
function Resource({ project, jobId }: { project: string; jobId: number }) {
  const api = projectApi(project)
  const job = useRead<JobDetails>(`${api}/jobs/${jobId}?with_details=true`, { staleTime: 60_000 })
  const key = job.data?.resource_group ?? undefined
  const group = useRead<DetailedResourceGroup>(
    key && `${api}/resource_groups/${encodeURIComponent(key)}?with_details=true`,
    { refetchInterval: 10_000 },
  )
  if (key === undefined) return null
  return (
    <Panel isFlush title={`Resource group ${key}`}>
      <Read of={group}>{(found) => <ResourceQueue project={project} group={found} />}</Read>
    </Panel>
  )
}

interface DeleteProps {
  project: string
  id: number
  name: string
  canDeploy: boolean | undefined
}

function DeleteEnvironment({ project, id, name, canDeploy }: DeleteProps) {
  const [isAsking, setAsking] = useState(false)
  const path = `${projectApi(project)}/environments`
  const remove = useAction(async () => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    notify(`${name} was deleted`)
    navigate(addressOf('environments/list', { project }))
    await refresh(`${path}?`)
  }, notifyError)
  return (
    <>
      <Button
        kind="danger"
        size="small"
        icon={Trash2}
        reason={deployReason(undefined, canDeploy)}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete environment"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run()}
          onClose={() => setAsking(false)}
        >
          <p>Its deployments are deleted too. The jobs and their logs stay.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
