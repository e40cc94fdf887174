import { Globe, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Site } from '../../../../coordinator/ci/sites/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { formatBytes } from '../../../kit/bytes.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Panel, Panels } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { SettingsPage } from '../settings-page.js'

type Deployment = Site['deployments'][number]

/** The sites that jobs of a project have published. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return (
    <SettingsPage
      project={project}
      title="Sites"
      details="What jobs have published from the folders of their artifacts."
      current="sites"
      to="edit_project"
      otherwise="Maintainers and above manage the sites of a project."
    >
      {(reason) => <Sites project={project} reason={reason} />}
    </SettingsPage>
  )
}

function Sites({ project, reason }: { project: string; reason: string | undefined }) {
  const path = `${projectApi(project)}/pages`
  const sites = useRead<Site>(path)
  const [chosen, setChosen] = useState<Deployment>()
  const remove = useAction(async ({ path_prefix: prefix }: Deployment) => {
    await requestJson(`${path}${queryOf({ path_prefix: prefix ?? '' })}`, { method: 'DELETE' })
    setChosen(undefined)
    notify('The site was deleted')
    await refresh(path)
  }, notifyError)
  return (
    <Read of={sites}>
      {({ deployments, failed }) => (
        <Panels>
          {failed[0] && isLatest(failed[0], deployments) && <Failure project={project} failure={failed[0]} />}
          <Panel isFlush title="Published sites">
            {deployments.length === 0 ? (
              <Empty icon={Globe} title="No site is published.">
                A job that is called <code>pages</code>, or has <code>pages:</code>, publishes its folder{' '}
                <code>public</code> when it succeeds.
              </Empty>
            ) : (
              <Table<Deployment>
                label="Published sites"
                rows={deployments}
                keyOf={({ url }) => url}
                columns={[
                  {
                    title: 'Address',
                    isMain: true,
                    cell: ({ url }) => (
                      <a href={url} target="_blank">
                        {url}
                      </a>
                    ),
                  },
                  {
                    title: 'Folder',
                    isDetail: true,
                    cell: ({ root_directory: root }) => <code>{root || '.'}</code>,
                  },
                  { title: 'Size', isDetail: true, isNumber: true, cell: ({ size }) => formatBytes(size) },
                  { title: 'Published', cell: ({ created_at: at }) => <Time value={at} /> },
                  {
                    title: 'Expires',
                    isDetail: true,
                    cell: ({ expires_at: at }) => (at === null ? 'never' : <Time value={at} />),
                  },
                  {
                    title: 'Job',
                    isDetail: true,
                    cell: ({ job_id: id }) =>
                      id === null ? 'deleted' : <JobLink project={project} id={id} />,
                  },
                  {
                    title: 'Actions',
                    hidesTitle: true,
                    cell: (deployment) => (
                      <Button
                        size="small"
                        kind="danger"
                        icon={Trash2}
                        reason={reason}
                        onClick={() => setChosen(deployment)}
                      >
                        Delete
                      </Button>
                    ),
                  },
                ]}
              />
            )}
          </Panel>
          {chosen && (
            <ConfirmDialog
              title="Delete this site?"
              action="Delete site"
              isBusy={remove.isBusy}
              onConfirm={() => void remove.run(chosen)}
              onClose={() => setChosen(undefined)}
            >
              <p>
                Nobody can read {chosen.url} any more, until a job publishes it again. The artifacts of the
                job stay.
              </p>
            </ConfirmDialog>
          )}
        </Panels>
      )}
    </Read>
  )
}

/** Whether nothing was published since. */
function isLatest({ created_at: at }: Site['failed'][number], deployments: readonly Deployment[]): boolean {
  return deployments.every(({ created_at: published }) => published <= at)
}

function JobLink({ project, id }: { project: string; id: number }) {
  return <a href={addressOf('jobs/job', { project, id: String(id) })}>#{id}</a>
}

/** Why the latest job has published nothing. */
function Failure({ project, failure }: { project: string; failure: Site['failed'][number] }) {
  const { job_id: id, problem, created_at: at } = failure
  return (
    <Alert tone="warning" title="A site was not published.">
      {problem} {id !== null && <JobLink project={project} id={id} />} <Time value={at} />
    </Alert>
  )
}
