import { useState } from 'preact/hooks'

import { useLoaded } from '../../frame/use-loaded.js'
import { Button } from '../../kit/button.js'
import { Skeleton } from '../../kit/skeleton.js'
import styles from './conflicts.module.css'
import type { ShownMergeRequest } from './shown-merge-request.js'

/** Opens the conflicts of a merge request, to resolve them in place. */
export function Conflicts(shown: ShownMergeRequest) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <div class={styles['open']}>
        <Button onClick={() => setOpen(true)}>Resolve the conflicts here</Button>
      </div>
    )
  return <Files {...shown} />
}

function Files(shown: ShownMergeRequest) {
  const part = useLoaded(() => import('./conflict-files.js'))
  return part ? <part.ConflictFiles {...shown} /> : <Skeleton rows={3} />
}
