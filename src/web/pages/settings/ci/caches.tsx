import { Database, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { ProjectCache } from '../../../../coordinator/ci/caches/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { IconButton } from '../../../kit/button.js'
import { formatBytes } from '../../../kit/bytes.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { ClearCachesButton } from '../../../records/clear-caches-button.js'
import styles from './page.module.css'

interface CachesProps {
  project: string
  mayDelete: boolean
  reason: string | undefined
}

/** The caches that jobs of a project share, with their sizes. */
export function Caches({ project, mayDelete, reason }: CachesProps) {
  const path = `${projectApi(project)}/caches`
  const { rows, result, next } = useReadList<ProjectCache>(`${path}?per_page=20`)
  const [removes, setRemoves] = useState<ProjectCache>()
  const remove = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    notify('The cache was deleted')
    setRemoves(undefined)
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Caches"
      actions={mayDelete && rows.length > 0 && <ClearCachesButton size="small" {...{ project, reason }} />}
    >
      <ReadRows
        of={{ rows, result }}
        outline={3}
        empty={
          <Empty icon={Database} title="There is no cache on this server.">
            Jobs save what the keyword cache names, and later jobs restore it.
          </Empty>
        }
      >
        <Table<ProjectCache>
          label="Caches"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Key',
              isMain: true,
              cell: ({ key, protected: isProtected }) => (
                <>
                  <code class={styles['key']}>{key}</code>{' '}
                  {isProtected && <Badge tone="accent">protected</Badge>}
                </>
              ),
            },
            { title: 'Size', isNumber: true, cell: ({ size }) => formatBytes(size) },
            { title: 'Saved', isDetail: true, cell: ({ created_at: at }) => <Time value={at} /> },
            { title: 'Last used', cell: ({ used_at: at }) => <Time value={at} /> },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (cache) =>
                mayDelete && (
                  <span class={styles['actions']}>
                    <IconButton
                      size="small"
                      icon={Trash2}
                      label={`Delete ${cache.key}`}
                      reason={reason}
                      onClick={() => setRemoves(cache)}
                    />
                  </span>
                ),
            },
          ]}
        />
      </ReadRows>
      {removes !== undefined && (
        <ConfirmDialog
          title={`Delete the cache ${removes.key}?`}
          action="Delete cache"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removes.id)}
          onClose={() => setRemoves(undefined)}
        >
          <p>The next job that uses it creates it again, and takes longer.</p>
        </ConfirmDialog>
      )}
      <LoadMore of="caches" next={next} />
    </Panel>
  )
}
