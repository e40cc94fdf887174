import { useLayoutEffect, useRef } from 'preact/hooks'

import { boot } from '../api/boot.js'
import { Rendered } from '../code/rendered.js'
import { MarkdownPreview } from '../editor/markdown-preview.js'
import { classNames } from '../kit/class-names.js'
import styles from './markdown.module.css'
import { taskMarks, withTask } from './tasks.js'

interface MarkdownProps {
  /** Full path of the project to which references such as `#1` belong; undefined for a text of a group. */
  project: string | undefined
  text: string
  /** The text as the server has rendered it; without it, the server is asked, which needs a user. */
  html?: string | undefined
  /** Level of the heading above the text. */
  below?: number
  /** Called with the changed text when a task is ticked; without it, tasks are not ticked. */
  onTick?: ((text: string) => void) | undefined
  class?: string | undefined
}

/** A text in Markdown. Its tasks can be ticked by those who may change the text. */
export function Markdown({ project, text, html, below = 2, onTick, class: className }: MarkdownProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const boxes = [...(box.current?.querySelectorAll<HTMLInputElement>(BOX) ?? [])]
    // If the page and the server do not agree about what is a task, none is ticked.
    const isTickable = onTick !== undefined && boxes.length === taskMarks(text).length
    for (const each of boxes) each.disabled = !isTickable
  })
  const onChange = ({ target }: Event) => {
    const boxes = [...(box.current?.querySelectorAll<HTMLInputElement>(BOX) ?? [])]
    const index = target instanceof HTMLInputElement ? boxes.indexOf(target) : -1
    if (index !== -1) onTick?.(withTask(text, index, boxes[index]?.checked ?? false))
  }
  return (
    <div ref={box} class={classNames(styles['markdown'], className)} onChange={onChange}>
      {html !== undefined ? (
        <Rendered html={html} below={below} />
      ) : boot.user ? (
        <MarkdownPreview project={project} text={text} />
      ) : (
        <p class={styles['plain']}>{text}</p>
      )}
    </div>
  )
}

const BOX = 'input.task-list-item-checkbox'
