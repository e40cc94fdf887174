import type { ComponentChildren } from 'preact'

import type { Epic } from '../../../../coordinator/planning/epics/epic-schema.js'
import { EpicDatesLine, StateIcon } from '../epic-facts.js'
import styles from '../epic-rows.module.css'

/** An epic beside another one; `children` are what changes it there. */
export function EpicRow({ epic, children }: { epic: Epic; children: ComponentChildren }) {
  return (
    <li class={styles['row']}>
      <StateIcon state={epic.state} />
      <div class={styles['main']}>
        <a class={styles['title']} href={epic.web_url}>
          {epic.title}
        </a>
        <span class={styles['facts']}>
          {epic.references.relative}
          <EpicDatesLine epic={epic} />
        </span>
      </div>
      {children}
    </li>
  )
}
