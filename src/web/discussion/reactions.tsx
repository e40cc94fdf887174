import { SmilePlus } from 'lucide'
import { useId, useRef } from 'preact/hooks'

import { request } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { notifyError } from '../frame/notices.js'
import { IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import floating from '../kit/floating.module.css'
import { placeBelow } from '../kit/place-below.js'
import { emojiOf, REACTIONS } from './emoji.js'
import styles from './reactions.module.css'

/** How often an emoji was given. */
export interface Reaction {
  name: string
  count: number
  /** ID of the emoji that the user of the page gave; null without one. */
  own_id: number | null
}

interface ReactionsProps {
  reactions: readonly Reaction[]
  /** Path of the emoji in the API. */
  path: string
  /** The user may give emoji. */
  mayReact: boolean
  reason?: string | undefined
  onChanged: () => void
}

/** Gives an emoji, or takes it back. */
function useToggling({ reactions, path, onChanged }: ReactionsProps) {
  return useAction(async (name: string) => {
    const own = reactions.find((reaction) => reaction.name === name)?.own_id ?? null
    if (own === null) await request(path, { method: 'POST', body: { name } })
    else await request(`${path}/${own}`, { method: 'DELETE' })
    onChanged()
  }, notifyError)
}

/** The emoji of a text, which the user gives and takes back. */
export function Reactions(props: ReactionsProps) {
  const { reactions, mayReact, reason } = props
  const toggling = useToggling(props)
  if (reactions.length === 0) return null
  return (
    <div class={styles['reactions']} role="group" aria-label="Reactions">
      {reactions.map(({ name, count, own_id }) => (
        <button
          key={name}
          type="button"
          class={classNames(styles['reaction'], own_id !== null && styles['own'])}
          aria-pressed={own_id !== null}
          aria-label={`${wordsOf(name)}: ${count}`}
          title={wordsOf(name)}
          disabled={!mayReact || reason !== undefined || toggling.isBusy}
          onClick={() => void toggling.run(name)}
        >
          <span aria-hidden="true">{emojiOf(name)}</span> {count}
        </button>
      ))}
    </div>
  )
}

/** A button that opens a box with the emoji that most people use. */
export function ReactButton(props: ReactionsProps) {
  const { mayReact, reason } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  const toggling = useToggling(props)
  if (!mayReact) return null
  return (
    <>
      <span ref={button}>
        <IconButton
          size="small"
          icon={SmilePlus}
          label="React"
          reason={reason}
          popovertarget={id}
          aria-haspopup="dialog"
        />
      </span>
      <div
        id={id}
        ref={box}
        popover="auto"
        role="dialog"
        aria-label="React"
        class={classNames(floating['box'], styles['choices'])}
        onToggle={({ newState }) => {
          if (newState !== 'open') return
          placeBelow(button.current, box.current)
          box.current?.querySelector('button')?.focus()
        }}
      >
        {REACTIONS.map((name) => (
          <button
            key={name}
            type="button"
            class={styles['choice']}
            aria-label={wordsOf(name)}
            title={wordsOf(name)}
            onClick={() => {
              box.current?.hidePopover()
              void toggling.run(name)
            }}
          >
            {emojiOf(name)}
          </button>
        ))}
      </div>
    </>
  )
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ')
}
