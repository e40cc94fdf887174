import { Monitor } from 'lucide'

import type { RunnerManager } from '../../../coordinator/ci/runners/schema.js'
import { useRead } from '../../api/use-read.js'
import { Read } from '../../frame/problem.js'
import { Empty } from '../../kit/empty.js'
import { Panel, Panels } from '../../kit/panel.js'
import { Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import { RunnerHosts } from './runner-hosts.js'
import { RunnerStatus } from './runner-status.js'
import styles from './runner-view.module.css'

/** The machines that use the registration of a runner, and their Docker hosts. */
export function RunnerMachines({ id }: { id: number }) {
  const machines = useRead<RunnerManager[]>(`/runners/${id}/managers`, { refetchInterval: 30_000 })
  return (
    <Panels>
      <Panel isFlush title="Machines">
        <Read of={machines}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon={Monitor} title="No machine has connected yet." />
            ) : (
              <MachineTable machines={rows} />
            )
          }
        </Read>
      </Panel>
      {machines.data && <RunnerHosts machines={machines.data} />}
    </Panels>
  )
}

function MachineTable({ machines }: { machines: RunnerManager[] }) {
  return (
    <Table<RunnerManager>
      label="Machines"
      rows={machines}
      keyOf={(machine) => machine.id}
      columns={[
        { title: 'Status', isMain: true, cell: ({ status }) => <RunnerStatus status={status} /> },
        {
          title: 'System ID',
          isMain: true,
          cell: ({ system_id: system, ip_address: address }) => (
            <div class={styles['machine']}>
              <code class={styles['name']}>{system}</code>
              {address !== null && <div class={styles['quiet']}>{address}</div>}
            </div>
          ),
        },
        {
          title: 'Program',
          isDetail: true,
          cell: ({ version, revision, platform, architecture }) => (
            <div>
              {version ?? '–'} {revision && <span class={styles['quiet']}>{revision}</span>}
              {platform !== null && <div class={styles['quiet']}>{`${platform} ${architecture ?? ''}`}</div>}
            </div>
          ),
        },
        {
          title: 'Jobs',
          cell: ({ job_execution_status: state }) => (state === 'active' ? 'busy' : 'idle'),
        },
        {
          title: 'Last contact',
          cell: ({ contacted_at: last, created_at: first }) => (
            <div>
              <Time value={last} />
              <div class={styles['quiet']}>
                first <Time value={first} />
              </div>
            </div>
          ),
        },
      ]}
    />
  )
}
