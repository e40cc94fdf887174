import { Monitor } from 'lucide'

import type { RunnerManager } from '../../../coordinator/ci/runners/schema.js'
import { useRead } from '../../api/use-read.js'
import { Read } from '../../frame/problem.js'
import { Empty } from '../../kit/empty.js'
import { Panel } from '../../kit/panel.js'
import { Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import { RunnerHosts } from './runner-hosts.js'
import { RunnerStatus } from './runner-status.js'
import styles from './runner-view.module.css'

/** The machines that use the registration of a runner. */
export function RunnerMachines({ id }: { id: number }) {
  const machines = useRead<RunnerManager[]>(`/runners/${id}/managers`, { refetchInterval: 30_000 })
  return (
    <Panel isFlush title="Machines">
      <Read of={machines}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={Monitor} title="No machine has connected yet." />
          ) : (
            <>
              <Table<RunnerManager>
                label="Machines"
                rows={rows}
                keyOf={(machine) => machine.id}
                columns={[
                  { title: 'Status', isMain: true, cell: ({ status }) => <RunnerStatus status={status} /> },
                  {
                    title: 'System ID',
                    isMain: true,
                    cell: ({ system_id: system }) => <code class={styles['name']}>{system}</code>,
                  },
                  {
                    title: 'Version',
                    isDetail: true,
                    cell: ({ version, revision }) => (
                      <div>
                        {version ?? '–'} {revision && <span class={styles['quiet']}>{revision}</span>}
                      </div>
                    ),
                  },
                  {
                    title: 'Platform',
                    isDetail: true,
                    cell: ({ platform, architecture }) =>
                      platform === null ? '–' : `${platform} ${architecture ?? ''}`,
                  },
                  { title: 'Address', isDetail: true, cell: ({ ip_address: address }) => address ?? '–' },
                  {
                    title: 'Jobs',
                    cell: ({ job_execution_status: state }) => (state === 'active' ? 'busy' : 'idle'),
                  },
                  { title: 'Last contact', cell: ({ contacted_at: at }) => <Time value={at} /> },
                  {
                    title: 'First contact',
                    isDetail: true,
                    cell: ({ created_at: at }) => <Time value={at} />,
                  },
                ]}
              />
              <RunnerHosts machines={rows} />
            </>
          )
        }
      </Read>
    </Panel>
  )
}
