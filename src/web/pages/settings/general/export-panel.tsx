import { Download, PackageOpen } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

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
  // No event reports the end of an export, so it is asked for, but only while one runs.
  const [isRunning, setRunning] = useState(false)
  const status = useRead<ExportStatus>(`${path}/export`, { refetchInterval: isRunning && POLL_EVERY })
  const state = status.data?.export_status
  useEffect(() => setRunning(state !== undefined && RUNNING.includes(state)), [state])
  const start = useAction(async () => {
    await requestJson(`${path}/export`, { method: 'POST' })
    await refresh(`${path}/export`)
  }, notifyError)
  return (
    <Panel title="Export">
      <Read of={status}>
        {({ export_status: current, export_error: error }) => {
          const hasArchive = current === 'finished' || current === 'regeneration_in_progress'
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
