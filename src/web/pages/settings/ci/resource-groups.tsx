import { projectApi } from '../../../../addresses/first-reads.js'
import type { ResourceGroup } from '../../../../coordinator/ci/resource-groups/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Problem } from '../../../frame/problem.js'
import { Select } from '../../../kit/field.js'
import { LoadMore } from '../../../kit/load-more.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'

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

/** The order in which waiting jobs get a resource. Projects without a resource group show nothing. */
export function ResourceGroups({ project, mayChange }: ResourceGroupsProps) {
  const path = `${projectApi(project)}/resource_groups`
  const { rows, result, hasMore, more } = useReadList<ResourceGroup>(`${path}?per_page=50`)
  const change = useAction(async (key: string, mode: string) => {
    await requestJson(`${path}/${encodeURIComponent(key)}`, { method: 'PUT', body: { process_mode: mode } })
    notify('The order was changed')
    await refresh(path)
  }, notifyError)
  if (result.error) return <Problem error={result.error} retry={() => void result.refetch()} />
  if (rows.length === 0) return null
  return (
    <Panel isFlush title="Resource groups">
      <Table<ResourceGroup>
        label="Resource groups"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Resource group', isMain: true, cell: ({ key }) => <strong>{key}</strong> },
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
      {hasMore && <LoadMore of="resource groups" isBusy={result.isFetchingNextPage} onMore={more} />}
    </Panel>
  )
}
