import type { ComponentChildren } from 'preact'

import { ChoiceBox, type Choosable } from '../discussion/choice-box.js'
import { SidePart, Unset } from '../discussion/side-part.js'
import styles from './new-record.module.css'

interface ChosenPartProps {
  title: string
  chosen: readonly Choosable[]
  find: (text: string) => Promise<readonly Choosable[]>
  isSingle?: boolean
  /** Before the button that opens the choice. */
  before?: ComponentChildren
  onChange: (chosen: readonly Choosable[]) => void
}

/** Values that are chosen for a new record. */
export function ChosenPart({ title, chosen, find, isSingle = false, before, onChange }: ChosenPartProps) {
  return (
    <SidePart
      title={title}
      edit={
        <>
          {before}
          <ChoiceBox
            of={title.toLowerCase()}
            isSingle={isSingle}
            chosen={chosen}
            find={find}
            onApply={(next) => {
              onChange(next)
              return Promise.resolve()
            }}
          />
        </>
      }
    >
      {chosen.length === 0 ? (
        <Unset />
      ) : (
        chosen.map(({ key, label, shown }) => (
          <span key={key} class={styles['chosen']}>
            {shown ?? label}
          </span>
        ))
      )}
    </SidePart>
  )
}
