import type { RunnerManager } from '../../../coordinator/ci/runners/schema.js'
import { Badge } from '../../kit/badge.js'
import { Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import styles from './runner-view.module.css'

type Host = RunnerManager['hosts'][number] & { system: string }

/** The Docker hosts of machines that use several. */
export function RunnerHosts({ machines }: { machines: RunnerManager[] }) {
  const hosts: Host[] = machines.flatMap(({ system_id: system, hosts: own }) =>
    own.map((host) => ({ ...host, system })),
  )
  if (hosts.length === 0) return null
  return (
    <Table<Host>
      label="Docker hosts"
      rows={hosts}
      keyOf={({ system, name }) => `${system} ${name}`}
      columns={[
        {
          title: 'Docker host',
          isMain: true,
          cell: ({ name }) => <code class={styles['name']}>{name}</code>,
        },
        { title: 'State', isMain: true, cell: ({ state }) => <Badge>{state}</Badge> },
        { title: 'Jobs', cell: ({ running, concurrent }) => `${running} of ${concurrent}` },
        { title: 'Weight', isDetail: true, cell: ({ weight }) => weight },
        {
          title: 'Last error',
          isDetail: true,
          cell: ({ error, error_at: at }) =>
            error === null ? (
              <span class={styles['quiet']}>none</span>
            ) : (
              <div>
                {error} {at !== null && <Time value={at} />}
              </div>
            ),
        },
        {
          title: 'Machine',
          isDetail: true,
          cell: ({ system }) => <code class={styles['name']}>{system}</code>,
        },
      ]}
    />
  )
}
