import { Users } from 'lucide'

import type { Membership } from '../../../../coordinator/accounts/users/memberships/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { ReadRows } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import { LoadMore } from '../../../kit/load-more.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { roleName } from '../../../records/roles.js'
import styles from './page.module.css'

/** The groups and projects of which a user is a member. */
export function Memberships({ id }: { id: number }) {
  const { rows, result, hasMore, more } = useReadList<Membership>(`/users/${id}/memberships?per_page=50`)
  return (
    <>
      <Panel isFlush>
        <ReadRows
          of={{ rows, result }}
          outline={4}
          empty={<Empty icon={Users} title="The user is a member of no group and of no project." />}
        >
          <Table<Membership>
            label="Memberships"
            rows={rows}
            keyOf={({ source_type: type, source_id: source }) => `${type} ${source}`}
            columns={[
              {
                title: 'Name',
                isMain: true,
                cell: ({ source_full_path: path, source_type: type }) => (
                  <a class={styles['name']} href={type === 'Project' ? `/${path}` : `/groups/${path}`}>
                    {path}
                  </a>
                ),
              },
              { title: 'Kind', cell: ({ source_type: type }) => (type === 'Project' ? 'project' : 'group') },
              { title: 'Role', cell: ({ access_level: level }) => roleName(level) },
            ]}
          />
        </ReadRows>
      </Panel>
      {hasMore && <LoadMore of="memberships" isBusy={result.isFetchingNextPage} onMore={more} />}
    </>
  )
}
