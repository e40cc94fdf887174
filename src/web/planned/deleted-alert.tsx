import { useState } from 'preact/hooks'

import type { RefusedTopic } from '../../coordinator/live/messages.js'
import { RequestError } from '../api/client.js'
import type { LiveKind } from '../discussion/discussed.js'
import { Alert } from '../kit/alert.js'
import { useLive } from '../live/use-live.js'

interface DeletedAlertProps {
  kind: LiveKind
  id: number
  /** Why the record could not be read again. */
  error: Error | null
}

/** Says that a record that is still shown was deleted: while the page was open, or while its stream was away. */
export function DeletedAlert({ kind, id, error }: DeletedAlertProps) {
  const [isDeleted, setDeleted] = useState(false)
  const topic = `${kind}/${id}`
  const onDeleted = (deleted: { id: number }) => {
    if (deleted.id === id) setDeleted(true)
  }
  const onRefused = ({ refused }: { refused: readonly RefusedTopic[] }) => {
    if (refused.some((each) => each.topic === topic && each.status === 404)) setDeleted(true)
  }
  useLive(
    [topic],
    {
      hello: onRefused,
      refused: ({ topics }) => onRefused({ refused: topics }),
      [`${kind}-deleted`]: onDeleted,
    },
    () => undefined,
  )
  if (!isDeleted && !(error instanceof RequestError && error.status === 404)) return null
  return (
    <Alert tone="error" title={`This ${kind.replace('-', ' ')} was deleted.`}>
      The page shows what it was before. What you have written here stays in this browser, to be copied.
    </Alert>
  )
}
