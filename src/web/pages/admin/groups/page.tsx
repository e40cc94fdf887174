import { FolderTree, Plus } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { Group } from '../../../../coordinator/accounts/groups/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { ReadRows } from '../../../frame/problem.js'
import { LinkButton } from '../../../kit/button.js'
import { formatBytes } from '../../../kit/bytes.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { VisibilityIcon } from '../../../records/visibility.js'
import { ListTools } from '../list-tools.js'
import styles from '../lists.module.css'

const ORDERS = [
  { value: '', label: 'Path', order_by: 'path', sort: 'asc' },
  { value: 'name', label: 'Name', order_by: 'name', sort: 'asc' },
  { value: 'newest', label: 'Newest', order_by: 'id', sort: 'desc' },
] as const

/** The groups of the instance. */
export function Page() {
  useTitle('Groups')
  const [query] = useSearch()
  const search = query.get('search') ?? ''
  const {
    value: order,
    order_by,
    sort,
  } = ORDERS.find(({ value }) => value === query.get('sort')) ?? ORDERS[0]
  const list = `/groups${queryOf({
    all_available: true,
    statistics: true,
    pagination: 'keyset',
    per_page: 50,
    search: search || undefined,
    order_by,
    sort,
  })}`
  const { rows, result, next } = useReadList<Group>(list, { keepsPrevious: true })
  return (
    <>
      <PageHeader
        title="Groups"
        details="All groups of this instance, with their subgroups."
        actions={
          <LinkButton kind="primary" icon={Plus} href={addressOf('groups/new', {})}>
            New group
          </LinkButton>
        }
      />
      <ListTools label="Find groups" orders={ORDERS} order={order} />
      <Panel isFlush>
        <ReadRows
          of={{ rows, result }}
          outline={8}
          empty={
            <Empty icon={FolderTree} title={search === '' ? 'There is no group yet.' : 'No group matches.'} />
          }
        >
          <Table<Group>
            label="Groups"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Group',
                isMain: true,
                cell: ({ full_path: path, visibility, name }) => (
                  <span class={styles['name']}>
                    <VisibilityIcon visibility={visibility} />
                    <a href={`/${path}`}>{path}</a>
                    <span class={styles['quiet']}>{name}</span>
                  </span>
                ),
              },
              {
                title: 'Size',
                isNumber: true,
                cell: ({ statistics }) => (statistics ? formatBytes(statistics.storage_size) : '–'),
              },
              { title: 'Created', isDetail: true, cell: ({ created_at: at }) => <Time value={at} /> },
              {
                title: 'Members',
                cell: ({ full_path: group }) => (
                  <a href={addressOf('groups/members', { group })} aria-label={`Show members of ${group}`}>
                    Show
                  </a>
                ),
              },
            ]}
          />
        </ReadRows>
      </Panel>
      <LoadMore of="groups" next={next} />
    </>
  )
}
