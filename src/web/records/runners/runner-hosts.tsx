import type { RunnerManager } from '../../../coordinator/ci/runners/schema.js'
import { Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import { RunnerStatus } from './runner-status.js'
import styles from './runner-view.module.css'

type Host = RunnerManager['hosts'][number] & { system: string }

/** Needed only if there are several. */
const MACHINE = {
  title: 'Machine',
  isDetail: true,
  cell: ({ system }: Host) => <code class={styles['name']}>{system}</code>,
}

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
        { title: 'State', isMain: true, cell: ({ state }) => <RunnerStatus status={state} /> },
        {
          title: 'Jobs',
          cell: ({ running, concurrent }) => (
            <span class={styles['whole']}>
              {running} of {concurrent}
            </span>
          ),
        },
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
        ...(machines.length === 1 ? [] : [MACHINE]),
      ]}
    />
  )
}
