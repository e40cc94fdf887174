import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedResourceGroup } from '../../../../coordinator/ci/resource-groups/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Problem } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { Dialog } from '../../../kit/dialog.js'
import { Select } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { StatusIcon } from '../../../kit/status.js'
import { Table } from '../../../kit/table.js'
import { ResourceQueue } from '../../../records/resource-queue.js'
import styles from './page.module.css'

const MODES = [
  { value: 'unordered', label: 'Any order' },
  { value: 'oldest_first', label: 'Oldest first' },
  { value: 'newest_first', label: 'Newest first' },
  { value: 'newest_ready_first', label: 'Newest that is ready first' },
]

interface ResourceGroupsProps {
  project: string
  mayChange: boolean
}

/** Which job has a resource, and the order in which others get it. Projects without a resource group show nothing. */
export function ResourceGroups({ project, mayChange }: ResourceGroupsProps) {
  const path = `${projectApi(project)}/resource_groups`
  const { rows, result, next } = useReadList<DetailedResourceGroup>(`${path}?with_details=true&per_page=50`, {
    refetchInterval: 15_000,
  })
  const [shown, setShown] = useState<string>()
  const change = useAction(async (key: string, mode: string) => {
    await requestJson(`${path}/${encodeURIComponent(key)}`, { method: 'PUT', body: { process_mode: mode } })
    notify('The order was changed')
    await refresh(path)
  }, notifyError)
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (rows.length === 0) return null
  const group = rows.find(({ key }) => key === shown)
  return (
    <Panel isFlush title="Resource groups">
      <Table<DetailedResourceGroup>
        label="Resource groups"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Resource group', isMain: true, cell: ({ key }) => <strong>{key}</strong> },
          {
            title: 'Used by',
            cell: ({ current_job: job }) =>
              job === null ? (
                'free'
              ) : (
                <span class={styles['job']}>
                  <StatusIcon status={job.status} />
                  <a href={addressOf('jobs/job', { project, id: String(job.id) })}>{job.name}</a>
                  <span class={styles['quiet']}>#{job.id}</span>
                </span>
              ),
          },
          {
            title: 'Waiting',
            cell: ({ key, upcoming_jobs: count }) =>
              count === 0 ? (
                'no job'
              ) : (
                <Button size="small" title={`Who waits for ${key}`} onClick={() => setShown(key)}>
                  {formatCount(count)} {count === 1 ? 'job' : 'jobs'}
                </Button>
              ),
          },
          {
            title: 'Order of waiting jobs',
            cell: ({ key, process_mode: mode }) => (
              <Select
                hidesLabel
                label={`Order of ${key}`}
                value={mode}
                disabled={!mayChange || change.isBusy}
                onInput={(value) => void change.run(key, value)}
                choices={MODES}
              />
            ),
          },
        ]}
      />
      <LoadMore of="resource groups" next={next} />
      {group && (
        <Dialog
          title={`Who waits for ${group.key}`}
          onClose={() => setShown(undefined)}
          actions={<Button onClick={() => setShown(undefined)}>Close</Button>}
        >
          <div class={styles['queue']}>
            <ResourceQueue project={project} group={group} />
          </div>
        </Dialog>
      )}
    </Panel>
  )
}
