import { Archive, Rocket } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { ListedEnvironment } from '../../../../coordinator/ci/environments/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { WEEK } from '../../../../lib/time-units.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { notify } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { Empty } from '../../../kit/empty.js'
import { Input } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Tabs } from '../../../kit/tabs.js'
import { useLive } from '../../../live/use-live.js'
import { Approvals } from '../approvals.js'
import { arrange, folderSummary, productionCommit } from '../arrange.js'
import { DeploymentLine, shownDeployment } from '../deployment-line.js'
import {
  AutoStop,
  EnvironmentAddress,
  ProtectedMark,
  Redeploy,
  StartDeployment,
  StopEnvironment,
} from '../environment-actions.js'
import styles from '../environments.module.css'
import { NewCommits } from '../new-commits.js'

const EXAMPLE = `deploy:
  script: ./deploy.sh
  environment:
    name: production
    url: https://example.com`

/** A search needs three characters in the API. */
const SHORTEST_SEARCH = 3

/** The environments of a project, with what is deployed to them. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Environments · ${project}`)
  const [search, setSearch] = useSearch()
  const state = search.get('state') === 'stopped' ? 'stopped' : 'available'
  const text = search.get('search') ?? ''
  const path = `${projectApi(project)}/environments`
  const query = queryOf({
    with_deployments: true,
    with_details: true,
    states: state,
    search: text.length >= SHORTEST_SEARCH ? text : undefined,
    per_page: 100,
  })
  const { rows, result, next } = useReadList<ListedEnvironment>(`${path}${query}`, {
    keepsPrevious: true,
  })
  const { data: record } = useRead<SimpleProject>(projectApi(project), { staleTime: 60_000 })
  const { may } = useProjectAbilities(project)
  const [isStopping, setStopping] = useState(false)
  const reread = () => void result.refetch()
  useLive(
    record ? [`project/${record.id}`] : [],
    {
      pipeline: ({ project_id: of }) => {
        if (of === record?.id) reread()
      },
    },
    reread,
  )
  const groups = arrange(rows)
  const production = productionCommit(rows)
  return (
    <>
      <PageHeader
        title="Environments"
        actions={
          may('stop_stale_environments') &&
          state === 'available' &&
          rows.length > 0 && (
            <Button icon={Archive} onClick={() => setStopping(true)}>
              Stop stale…
            </Button>
          )
        }
      />
      <Tabs
        label="Environments by state"
        tabs={[
          { label: 'Available', href: listHref(project, ''), isCurrent: state === 'available' },
          { label: 'Stopped', href: listHref(project, 'stopped'), isCurrent: state === 'stopped' },
        ]}
      />
      <SearchField
        class={styles['search']}
        label="Filter environments"
        placeholder="Name, three characters or more"
        value={text}
        onSearch={(value) => setSearch({ search: value })}
      />
      <ReadRows
        of={{ rows, result }}
        outline={4}
        empty={
          <Panel>
            <Empty
              icon={Rocket}
              title={
                text.length >= SHORTEST_SEARCH
                  ? 'No environment matches.'
                  : state === 'stopped'
                    ? 'No environment is stopped.'
                    : 'There is no environment yet.'
              }
            >
              {state === 'available' && text === '' && (
                <>
                  A job that names an environment deploys to it:
                  <CodeBlock label="lines of a CI file" text={EXAMPLE} />
                </>
              )}
            </Empty>
          </Panel>
        }
      >
        <div class={styles['cards']}>
          {groups.map(({ folder, environments }) =>
            folder === undefined ? (
              environments.map((environment) => (
                <EnvironmentCard key={environment.id} {...{ project, environment, production }} />
              ))
            ) : (
              <details
                key={`${folder}/`}
                class={styles['folder']}
                open={environments.length <= OPEN_FOLDER || text !== ''}
              >
                <summary>
                  <h2>{folder}/</h2>
                  <span class={styles['quiet']}>{folderSummary(environments, endOfDay())}</span>
                </summary>
                {environments.map((environment) => (
                  <EnvironmentCard key={environment.id} {...{ project, environment }} />
                ))}
              </details>
            ),
          )}
        </div>
      </ReadRows>
      <LoadMore of="environments" next={next} />
      {isStopping && <StopStale path={path} onClose={() => setStopping(false)} />}
    </>
  )
}

function listHref(project: string, state: string): string {
  return `${addressOf('environments/list', { project })}${queryOf({ state: state || undefined })}`
}

/** Folders with more environments are closed at first. */
const OPEN_FOLDER = 5

function endOfDay(): number {
  return new Date().setHours(24, 0, 0, 0)
}

interface CardProps {
  project: string
  environment: ListedEnvironment
  /** The commit in production, for a comparison. */
  production?: string | undefined
}

function EnvironmentCard({ project, environment, production }: CardProps) {
  const { id, name, tier, external_url: address, can_deploy: canDeploy } = environment
  const last = environment.last_deployment ? shownDeployment(environment.last_deployment) : undefined
  return (
    <article class={styles['card']} aria-label={name}>
      <div class={styles['head']}>
        <a
          class={styles['name']}
          href={addressOf('environments/environment', { project, id: String(id) })}
          data-entry=""
        >
          {name}
        </a>
        <ProtectedMark isProtected={environment.protected} />
        {tier !== 'other' && tier !== name && <Badge>{tier}</Badge>}
        {environment.state === 'stopping' && <Badge tone="warning">stopping</Badge>}
        <EnvironmentAddress address={address} />
      </div>
      <div class={styles['buttons']}>
        {last && <Redeploy {...{ project, canDeploy }} deployment={last} label="Deploy again" />}
        <StopEnvironment project={project} environment={environment} />
      </div>
      <div class={styles['body']}>
        {last ? (
          <DeploymentLine project={project} deployment={last} />
        ) : (
          <span class={styles['quiet']}>Nothing was deployed yet.</span>
        )}
        {environment.upcoming_deployments?.map(shownDeployment).map((deployment) => (
          <div key={deployment.id} class={styles['upcoming']}>
            <DeploymentLine project={project} deployment={deployment} />
            {environment.protected && deployment.status === 'blocked' && (
              <Approvals project={project} deployment={deployment} />
            )}
            <StartDeployment {...{ project, deployment, canDeploy }} />
          </div>
        ))}
        {last && production !== undefined && production !== last.sha && (
          <NewCommits project={project} from={production} to={last.sha} relation="ahead of production" />
        )}
        <AutoStop project={project} environment={environment} />
      </div>
    </article>
  )
}

function StopStale({ path, onClose }: { path: string; onClose: () => void }) {
  const [day, setDay] = useState(() => new Date(Date.now() - 4 * WEEK).toISOString().slice(0, 10))
  const stop = useAction(async () => {
    const { scheduled_entries: stopped } = await requestJson<{ scheduled_entries: unknown[] }>(
      `${path}/stop_stale`,
      { method: 'POST', body: { before: `${day}T00:00:00Z` } },
    )
    notify(stopped.length === 1 ? '1 environment is stopped' : `${stopped.length} environments are stopped`)
    onClose()
    await refresh(path)
  })
  return (
    <FormDialog
      title="Stop stale environments"
      action="Stop environments"
      isBusy={stop.isBusy}
      error={stop.error}
      isDangerous
      onSubmit={() => void stop.run()}
      onClose={onClose}
    >
      <Input
        label="Without a deployment or change since"
        type="date"
        value={day}
        onInput={setDay}
        required
        max={new Date(Date.now() - WEEK).toISOString().slice(0, 10)}
        help="At least a week ago. Protected environments are left as they are."
      />
    </FormDialog>
  )
}
