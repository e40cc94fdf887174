import { Download, PackageOpen } from 'lucide'

import type { ExportStatus } from '../../../../coordinator/hosting/projects/export/export-schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Panel } from '../../../kit/panel.js'
import styles from './page.module.css'

const RUNNING = ['queued', 'started', 'regeneration_in_progress']
const POLL_EVERY = 2000

/**
 * Creates an archive of a project, and downloads it.
 * @param path of the project in the API
 */
export function ExportPanel({ path }: { path: string }) {
  const address = `${path}/export`
  const status = useRead<ExportStatus>(address)
  const isRunning = RUNNING.includes(status.data?.export_status ?? '')
  // No event reports the end of an export.
  useRead(address, { refetchInterval: isRunning && POLL_EVERY })
  const start = useAction(async () => {
    await requestJson(address, { method: 'POST' })
    await refresh(address)
  }, notifyError)
  return (
    <Panel title="Export">
      <Read of={status}>
        {({ export_status: state, export_error: error }) => {
          const hasArchive = state === 'finished' || state === 'regeneration_in_progress'
          return (
            <>
              {error !== null && <Alert tone="error" title={error} />}
              <div class={styles['export']}>
                <p>
                  An archive with the repository, issues, merge requests, pipelines and settings, without
                  secret values. It is kept for a day, and another instance can import it.
                </p>
                <Button
                  icon={PackageOpen}
                  isBusy={start.isBusy || isRunning}
                  onClick={() => void start.run()}
                >
                  {isRunning ? 'Export is running…' : 'Export project'}
                </Button>
                {hasArchive && (
                  <LinkButton icon={Download} href={`/api/v4${path}/export/download`} data-reload="">
                    Download
                  </LinkButton>
                )}
              </div>
            </>
          )
        }}
      </Read>
    </Panel>
  )
}
