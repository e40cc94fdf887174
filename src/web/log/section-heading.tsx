import { ChevronDown } from 'lucide'
import type { Ref } from 'preact'
import { useImperativeHandle, useState } from 'preact/hooks'

import type { TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { formatDuration } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import styles from './section-heading.module.css'

export type Section = TraceOutline['sections'][number]

export interface SectionHeadingHandle {
  /** Shows the title of the section that a line is in, once the title itself is out of sight. */
  show: (line: number) => void
}

interface SectionHeadingProps {
  sections: readonly Section[]
  onOpen: (section: Section) => void
  handle: Ref<SectionHeadingHandle>
}

/**
 * The title of the section that is being read, above its lines. It has a state of its own, so that scrolling does not
 * render the log again.
 */
export function SectionHeading({ sections, onOpen, handle }: SectionHeadingProps) {
  const [firstLine, setFirstLine] = useState<number>()
  useImperativeHandle(
    handle,
    () => ({ show: (line) => setFirstLine(sectionAround(sections, line)?.first_line) }),
    [sections],
  )
  const section = sections.find(({ first_line: line }) => line === firstLine)
  if (!section) return null
  return (
    <button
      type="button"
      class={styles['heading']}
      title="Go to the beginning of this section"
      onClick={() => onOpen(section)}
    >
      <Icon icon={ChevronDown} size={14} />
      <span class={styles['title']}>{section.title}</span>
      {section.duration !== null && (
        <span class={styles['duration']}>{formatDuration(section.duration)}</span>
      )}
    </button>
  )
}

/** The innermost section that has a line below its title; undefined if none has. */
export function sectionAround(sections: readonly Section[], line: number): Section | undefined {
  return sections.findLast(
    ({ first_line: first, last_line: last }) => first < line && line <= (last ?? Infinity),
  )
}
