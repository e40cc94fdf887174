import type { RunnerManager } from '../../../coordinator/ci/runners/schema.js'
import { Panel } from '../../kit/panel.js'
import { Table } from '../../kit/table.js'
import { Time } from '../../kit/time.js'
import { RunnerStatus } from './runner-status.js'
import styles from './runner-view.module.css'

type Host = RunnerManager['hosts'][number] & { system: string }

/** The Docker hosts of machines that use several. */
export function RunnerHosts({ machines }: { machines: RunnerManager[] }) {
  const hosts: Host[] = machines.flatMap(({ system_id: system, hosts: own }) =>
    own.map((host) => ({ ...host, system })),
  )
  if (hosts.length === 0) return null
  return (
    <Panel isFlush title="Docker hosts">
      <Table<Host>
        label="Docker hosts"
        rows={hosts}
        keyOf={({ system, name }) => `${system} ${name}`}
        columns={[
          { title: 'State', isMain: true, cell: ({ state }) => <RunnerStatus status={state} /> },
          {
            title: 'Name',
            isMain: true,
            cell: ({ name, system }) => (
              <div class={styles['machine']}>
                <code class={styles['name']}>{name}</code>
                {machines.length > 1 && <div class={styles['quiet']}>{system}</div>}
              </div>
            ),
          },
          { title: 'Jobs', isShort: true, cell: ({ running, concurrent }) => `${running} of ${concurrent}` },
          { title: 'Weight', isDetail: true, cell: ({ weight }) => weight },
          // Not a detail: it says why a host gets no jobs.
          { title: 'Last error', cell: ({ error, error_at: at }) => <LastError error={error} at={at} /> },
        ]}
      />
    </Panel>
  )
}

function LastError({ error, at }: { error: string | null; at: string | null }) {
  if (error === null) return <span class={styles['quiet']}>none</span>
  return (
    <div>
      {error}
      {at !== null && (
        <div class={styles['quiet']}>
          <Time value={at} />
        </div>
      )}
    </div>
  )
}
