import { SquareTerminal } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import type { Hold } from '../../../../coordinator/ci/holds/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Alert } from '../../../kit/alert.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { Time } from '../../../kit/time.js'
import { useLive } from '../../../live/use-live.js'
import styles from './held-job.module.css'

interface HeldJobProps {
  project: string
  id: number
  /** The job in the API, such as `/projects/5/jobs/9`. */
  base: string
}

/** The container of an ended job is kept: where, until when, and how to change that. */
export function HeldJob({ project, id, base }: HeldJobProps) {
  const path = `${base}/hold`
  const hold = useRead<Hold>(path)
  // The hold is not part of the message.
  useLive(
    [`job/${id}`],
    {
      job: (message) => {
        if (message.id === id) void refresh(base)
      },
    },
    () => void refresh(base),
  )
  const extension = useAction(async () => {
    await requestJson(`${path}/extend`, { method: 'POST', body: { seconds: 600 } })
    await refresh(path)
  }, notifyError)
  const end = useAction(async () => {
    await requestJson(path, { method: 'DELETE' })
    notify('The container of the job is removed')
    await refresh(base)
  }, notifyError)
  if (hold.data?.state !== 'held') return null
  const { until, latest, place, may_change: mayChange, has_terminal: hasTerminal } = hold.data
  return (
    <Alert
      actions={
        mayChange ? (
          <div class={styles['actions']}>
            {hasTerminal && (
              <LinkButton
                icon={SquareTerminal}
                href={addressOf('jobs/terminal', { project, id: String(id) })}
              >
                Shell
              </LinkButton>
            )}
            <Button
              isBusy={extension.isBusy}
              reason={until >= latest ? 'The runner does not hold it for longer' : undefined}
              onClick={() => void extension.run()}
            >
              10 minutes more
            </Button>
            <Button isBusy={end.isBusy} onClick={() => void end.run()}>
              End
            </Button>
          </div>
        ) : undefined
      }
    >
      Held. The hold ends <Time value={until} />: {place}
      {mayChange && hasTerminal && (
        <>
          <CodeBlock
            text={`switchyard shell ${location.origin}${location.pathname}`}
            label="command for a shell"
          />
          <p>
            In that shell, <code>switchyard-step run</code> runs the script again from the line that failed.
          </p>
        </>
      )}
    </Alert>
  )
}
