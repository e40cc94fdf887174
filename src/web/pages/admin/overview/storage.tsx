import type { AdminOverview } from '../../../../coordinator/instance/overview/schema.js'
import { formatBytes } from '../../../kit/bytes.js'
import { classNames } from '../../../kit/class-names.js'
import { Panel } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'

const KINDS = [
  { key: 'repositories', label: 'Repositories' },
  { key: 'artifacts', label: 'Artifacts' },
  { key: 'caches', label: 'Caches' },
  { key: 'logs', label: 'Logs' },
  { key: 'lfs', label: 'Git LFS' },
] as const

/** What is on the disk, by kind, and how much of the disk is free. */
export function Storage({ storage, disk }: Pick<AdminOverview, 'storage' | 'disk'>) {
  const used = disk.total - disk.free
  const share = disk.total === 0 ? 0 : used / disk.total
  return (
    <Panel title="Disk">
      <div class={styles['disk']}>
        <span>
          <strong>{formatBytes(disk.free)}</strong> free of {formatBytes(disk.total)}
        </span>
        <span class={styles['quiet']}>{Math.round(100 * share)} % used</span>
      </div>
      <Bar share={share} isFull={share > 0.9} />
      {storage === null ? (
        <p class={styles['quiet']}>The sizes by kind are measured every six hours, and not yet.</p>
      ) : (
        <>
          <dl class={styles['kinds']}>
            {KINDS.map(({ key, label }) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd>
                  <Bar share={storage[key] / Math.max(1, ...KINDS.map((kind) => storage[kind.key]))} />
                  <span class={styles['number']}>{formatBytes(storage[key])}</span>
                </dd>
              </div>
            ))}
          </dl>
          <p class={styles['quiet']}>
            Measured <Time value={storage.measured_at} />.
          </p>
        </>
      )}
    </Panel>
  )
}

function Bar({ share, isFull = false }: { share: number; isFull?: boolean }) {
  return (
    <span class={classNames(styles['track'], isFull && styles['full'])}>
      <span style={{ width: `${Math.min(100, 100 * share)}%` }} />
    </span>
  )
}
