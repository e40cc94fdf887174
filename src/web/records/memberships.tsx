import { Users } from 'lucide'

import type { Membership } from '../../coordinator/accounts/users/memberships/schema.js'
import { useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { ReadRows } from '../frame/problem.js'
import { Empty } from '../kit/empty.js'
import { Table } from '../kit/table.js'
import { roleName } from './roles.js'

interface MembershipsProps {
  /** ID of the user. */
  id: number
  /** Title of the empty list. */
  empty: string
}

/** The groups and projects of which a user is a member, as far as the reader may see them. */
export function Memberships({ id, empty }: MembershipsProps) {
  const { rows, result, next } = useReadList<Membership>(`/users/${id}/memberships?per_page=50`)
  return (
    <>
      <ReadRows of={{ rows, result }} outline={4} empty={<Empty icon={Users} title={empty} />}>
        <Table<Membership>
          label="Memberships"
          rows={rows}
          keyOf={({ source_type: type, source_id: source }) => `${type} ${source}`}
          columns={[
            {
              title: 'Name',
              isMain: true,
              cell: ({ source_full_path: path, source_type: type }) => (
                <a href={type === 'Project' ? `/${path}` : `/groups/${path}`}>
                  <strong>{path}</strong>
                </a>
              ),
            },
            { title: 'Kind', cell: ({ source_type: type }) => (type === 'Project' ? 'project' : 'group') },
            { title: 'Role', cell: ({ access_level: level }) => roleName(level) },
          ]}
        />
      </ReadRows>
      <LoadMore of="memberships" next={next} />
    </>
  )
}
