import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { RequestError } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { notifyError } from '../frame/notices.js'
import { Button } from '../kit/button.js'
import { Popover } from '../kit/popover.js'
import { SearchField } from '../kit/search-field.js'
import styles from './choice-box.module.css'

/** What can be chosen, such as a label or a person. */
export interface Choosable {
  key: string
  /** Text for search and screen readers. */
  label: string
  /** What is shown instead of the label. */
  shown?: ComponentChildren
}

interface ChoiceBoxProps {
  /** What is chosen, for screen readers: "labels". */
  of: string
  /** Content of the button. */
  button?: ComponentChildren
  chosen: readonly Choosable[]
  /** Reads what matches a text; all without one. */
  find: (text: string) => Promise<readonly Choosable[]>
  /** At most one is chosen. */
  isSingle?: boolean
  reason?: string | undefined
  /** Saves the choice. */
  onApply: (chosen: readonly Choosable[]) => Promise<unknown>
}

/** A button that opens a box in which values are searched and chosen; they are saved together. */
export function ChoiceBox({ of, button = 'Edit', reason, ...rest }: ChoiceBoxProps) {
  if (reason !== undefined) {
    return (
      <Button size="small" kind="ghost" reason={reason}>
        {button}
      </Button>
    )
  }
  return (
    <Popover size="small" kind="ghost" isBare label={button} name={`Edit ${of}`} rendersWhenOpen>
      <Choices of={of} {...rest} />
    </Popover>
  )
}

function Choices({ of, chosen, find, isSingle = false, onApply }: Omit<ChoiceBoxProps, 'button' | 'reason'>) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Choosable[]>()
  const [wanted, setWanted] = useState<readonly Choosable[]>(chosen)
  useEffect(() => {
    let isCurrent = true
    find(text).then(
      (rows) => isCurrent && setFound(rows),
      (error: unknown) => {
        if (!(error instanceof RequestError)) throw error
        if (isCurrent) setFound([])
      },
    )
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `find` is another function in each render
  }, [text])
  const saving = useAction(async (event: Event) => {
    const box = (event.target as Element).closest<HTMLElement>('[popover]')
    await onApply(wanted)
    box?.hidePopover()
  }, notifyError)
  const toggle = (choice: Choosable, isWanted: boolean) => {
    const others = wanted.filter(({ key }) => key !== choice.key)
    setWanted(isWanted ? [...(isSingle ? [] : others), choice] : others)
  }
  const isWanted = (choice: Choosable) => wanted.some(({ key }) => key === choice.key)
  // What is chosen stays in sight while others are searched.
  const shown = [
    ...wanted.filter(({ key }) => !found?.some((row) => row.key === key) && text === ''),
    ...(found ?? []),
  ]
  return (
    <form
      class={styles['box']}
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run(event)
      }}
    >
      <SearchField label={`Search ${of}`} placeholder="Search" value={text} onSearch={setText} />
      <div class={styles['list']} role="group" aria-label={capitalized(of)}>
        {shown.map((choice) => (
          <label key={choice.key} class={styles['choice']}>
            <input
              type="checkbox"
              checked={isWanted(choice)}
              aria-label={choice.label}
              onChange={({ currentTarget }) => toggle(choice, currentTarget.checked)}
            />
            {choice.shown ?? <span>{choice.label}</span>}
          </label>
        ))}
        {found?.length === 0 && text !== '' && <p class={styles['none']}>Nothing found.</p>}
        {found?.length === 0 && text === '' && wanted.length === 0 && (
          <p class={styles['none']}>There are no {of} yet.</p>
        )}
      </div>
      <div class={styles['actions']}>
        <Button kind="primary" size="small" type="submit" isBusy={saving.isBusy}>
          Apply
        </Button>
        <Button size="small" disabled={wanted.length === 0} onClick={() => setWanted([])}>
          Clear
        </Button>
      </div>
    </form>
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
