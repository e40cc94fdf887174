import { X } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { Broadcast } from '../../coordinator/pages/schema.js'
import { boot } from '../api/boot.js'
import { Icon } from '../kit/icon.js'
import { setTrustedHtml } from '../kit/trusted.js'
import styles from './broadcast-list.module.css'
import { matchesWildcards } from './broadcast-path.js'
import { useLocation } from './location.js'
import type { Section } from './side.js'
import { useGroupAbilities, useProjectAbilities } from './use-abilities.js'

/** Keys of the messages that were closed in this browser. */
const KEY = 'switchyard_closed_messages'

/** The messages for the present page and its reader. */
export function BroadcastList({ section }: { section: Section | undefined }) {
  const { pathname } = useLocation()
  const [closed, setClosed] = useState(readClosed)
  const open = boot.broadcasts.filter(
    ({ key, path }) => !closed.includes(key) && matchesWildcards(path, pathname),
  )
  const level = useLevel(open.some(({ levels }) => levels.length > 0) ? section : undefined)
  const close = (key: string) => {
    const keys = [...closed, key]
    writeClosed(keys)
    setClosed(keys)
  }
  // Screen readers announce what is added to a region that is there already.
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  const shown = open.filter(({ levels }) => isThere && (levels.length === 0 || levels.includes(level)))
  return (
    <section aria-label="Messages of this instance" aria-live="polite">
      {(['banner', 'notification'] as const).map((kind) => (
        <div key={kind} class={styles[`${kind}s`]}>
          {shown
            .filter((broadcast) => broadcast.kind === kind)
            .map((broadcast) => (
              <Message key={broadcast.key} broadcast={broadcast} onClose={() => close(broadcast.key)} />
            ))}
        </div>
      ))}
    </section>
  )
}

function Message({ broadcast, onClose }: { broadcast: Broadcast; onClose: () => void }) {
  const { html, kind, background, color, is_closable: isClosable } = broadcast
  const text = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (text.current) setTrustedHtml(text.current, html)
  }, [html])
  return (
    <div class={styles[kind]} style={{ background, color }}>
      <div ref={text} class={styles['text']} />
      {isClosable && (
        <button type="button" class={styles['close']} aria-label="Close the message" onClick={onClose}>
          <Icon icon={X} />
        </button>
      )}
    </div>
  )
}

/** The level of the user in the project or group of the page; 0 elsewhere. */
function useLevel(section: Section | undefined): number {
  const of = (kind: 'project' | 'group') => (boot.user && section?.kind === kind ? section.path : undefined)
  const inProject = useProjectAbilities(of('project'))
  const inGroup = useGroupAbilities(of('group'))
  return Math.max(inProject.level, inGroup.level)
}

function readClosed(): readonly string[] {
  return (localStorage.getItem(KEY) ?? '').split(' ')
}

/** Those that are no longer shown are forgotten. */
function writeClosed(keys: readonly string[]): void {
  const known = keys.filter((key) => boot.broadcasts.some((each) => each.key === key))
  localStorage.setItem(KEY, known.join(' '))
}
