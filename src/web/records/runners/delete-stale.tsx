import { Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { DetailedRunner, RunnerCounts } from '../../../coordinator/ci/runners/schema.js'
import { boot } from '../../api/boot.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead, useReadList } from '../../api/use-read.js'
import { LoadMore } from '../../frame/load-more.js'
import { notify } from '../../frame/notices.js'
import { ReadRows } from '../../frame/problem.js'
import { Button } from '../../kit/button.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { ScrollList } from '../../kit/scroll-list.js'
import { Time } from '../../kit/time.js'
import styles from './delete-stale.module.css'
import { isOwnRunner, runnersApi, type RunnerScope, runnersList } from './runner-scope.js'
import { runnerName } from './use-runner-actions.js'

/** Deletes all runners of a scope that have not been in contact for a week. Nothing is shown while there is none. */
export function DeleteStale({ scope }: { scope: RunnerScope }) {
  const [isAsking, setAsking] = useState(false)
  const counts = useRead<RunnerCounts>(`${runnersApi(scope)}/counts`, { refetchInterval: 15_000 })
  return (
    <>
      {(counts.data?.stale ?? 0) > 0 && (
        <Button icon={Trash2} onClick={() => setAsking(true)}>
          Delete stale…
        </Button>
      )}
      {isAsking && <StaleDialog scope={scope} onClose={() => setAsking(false)} />}
    </>
  )
}

function StaleDialog({ scope, onClose }: { scope: RunnerScope; onClose: () => void }) {
  const { rows, result, next } = useReadList<DetailedRunner>(
    `${runnersList(scope)}?status=stale&with_details=true&pagination=keyset&per_page=100`,
  )
  const stale = rows.filter((runner) => boot.user?.is_admin || isOwnRunner(scope, runner))
  const [done, setDone] = useState(0)
  const reload = () => refresh(runnersList(scope), `${runnersApi(scope)}/counts`)
  const remove = useAction(async () => {
    setDone(0)
    try {
      for (const { id } of stale) {
        await requestJson(`/runners/${id}`, { method: 'DELETE' })
        setDone((count) => count + 1)
      }
    } finally {
      await reload()
    }
    notify(stale.length === 1 ? '1 runner was deleted' : `${stale.length} runners were deleted`)
    onClose()
  })
  return (
    <FormDialog
      title="Delete stale runners"
      action={
        remove.isBusy
          ? `Deleted ${done} of ${stale.length}`
          : `Delete ${stale.length} ${stale.length === 1 ? 'runner' : 'runners'}`
      }
      isBusy={remove.isBusy}
      error={remove.error}
      isIncomplete={stale.length === 0}
      isDangerous
      onSubmit={() => void remove.run()}
      onClose={onClose}
    >
      <p>They have not been in contact for seven days. Their tokens become invalid.</p>
      <ReadRows of={{ rows: stale, result }} outline={3} empty={<p>None of them is yours to delete.</p>}>
        <ScrollList label="Stale runners">
          {stale.map((runner) => (
            <li key={runner.id} class={styles['runner']}>
              <span>
                {runnerName(runner)} <span class={styles['quiet']}>#{runner.id}</span>
              </span>
              <span class={styles['quiet']}>
                <Time value={runner.contacted_at} />
              </span>
            </li>
          ))}
        </ScrollList>
      </ReadRows>
      <LoadMore of="runners" next={next} />
    </FormDialog>
  )
}
