import { X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import styles from './notices.module.css'

interface Notice {
  id: number
  tone: 'success' | 'error'
  text: string
  requestId?: string | undefined
}

const SHOWN_MILLISECONDS = 5000

let notices: Notice[] = []
let nextId = 1
const listeners = new Set<(notices: Notice[]) => void>()

/** Says that something has been done; it disappears by itself. */
export function notify(text: string): void {
  const id = add({ tone: 'success', text })
  setTimeout(() => close(id), SHOWN_MILLISECONDS)
}

/** Shows the error of an action until the reader closes it. */
export function notifyError(error: Error & { requestId?: string | undefined }): void {
  add({ tone: 'error', text: error.message, requestId: error.requestId })
}

function add(notice: Omit<Notice, 'id'>): number {
  const id = nextId++
  set([...notices, { ...notice, id }])
  return id
}

function close(id: number): void {
  set(notices.filter((notice) => notice.id !== id))
}

function set(changed: Notice[]): void {
  notices = changed
  for (const listener of listeners) listener(notices)
}

export function Notices() {
  const [shown, setShown] = useState(notices)
  useEffect(() => {
    listeners.add(setShown)
    return () => void listeners.delete(setShown)
  }, [])
  return (
    <div class={styles['notices']} role="region" aria-label="Notices" aria-live="polite">
      {shown.map(({ id, tone, text, requestId }) => (
        <div key={id} class={classNames(styles['notice'], styles[tone])}>
          <div class={styles['text']}>
            {text}
            {requestId !== undefined && <small>Request {requestId}</small>}
          </div>
          <IconButton size="small" icon={X} label="Close" onClick={() => close(id)} />
        </div>
      ))}
    </div>
  )
}
