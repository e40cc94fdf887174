import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import { setTrustedHtml } from '../kit/trusted.js'
import { HiddenWarning } from '../text/hidden-warning.js'
import { isPlain } from '../text/is-plain.js'
import { useMarks } from '../text/use-marks.js'
import styles from './rendered.module.css'

interface RenderedProps {
  html: string
  /** Level of the heading above the text. */
  below?: number
}

/** Of a text without characters that may be invisible. */
const NO_LINES: readonly string[] = []

/** A text that the server has rendered as safe HTML: Markdown, or plain text as it is. */
export function Rendered({ html, below = 1 }: RenderedProps) {
  const box = useRef<HTMLDivElement>(null)
  const [lines, setLines] = useState(NO_LINES)
  const marks = useMarks(lines.length > 0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    setTrustedHtml(element, html)
    for (const picture of element.querySelectorAll('img')) linkForeign(picture)
    for (const box of element.querySelectorAll('input')) nameTask(box)
    const text = element.textContent
    // The markup may spell characters as entities.
    setLines(isPlain(text) ? NO_LINES : text.split('\n'))
    nestHeadings(element, below)
    for (const pre of element.querySelectorAll('pre')) letScroll(pre, 'Code')
    for (const table of element.querySelectorAll('table')) letScroll(wrapped(table), 'Table')
  }, [html, below])
  useLayoutEffect(() => {
    if (box.current) marks?.markTexts(box.current)
  }, [marks, html, below])
  return (
    <>
      <div class={styles['warning']}>
        <HiddenWarning
          of="This text"
          lines={lines}
          onShow={() => box.current?.querySelector('[data-code]')?.scrollIntoView({ block: 'center' })}
        />
      </div>
      <div ref={box} class={styles['rendered']} />
    </>
  )
}

/** Makes a link of a picture of another host, which the policy of the pages does not load. */
function linkForeign(picture: HTMLImageElement): void {
  const address = new URL(picture.src, location.href)
  if (address.origin === location.origin || address.protocol === 'data:') return
  // Before the browser has begun to load it.
  picture.removeAttribute('src')
  const link = document.createElement(picture.closest('a') ? 'span' : 'a')
  if (link instanceof HTMLAnchorElement) {
    link.href = address.href
    link.rel = 'nofollow noreferrer noopener'
  }
  link.textContent = picture.alt || address.href
  picture.replaceWith(link)
}

/** Gives the box of a task its text as the name. */
function nameTask(box: HTMLInputElement): void {
  const text = box.closest('li')?.textContent.trim() ?? ''
  box.setAttribute('aria-label', text.slice(0, MAX_TASK_NAME) || 'Task')
}

const MAX_TASK_NAME = 100

/** Gives the headings of a text the levels below those of the page, for screen readers. */
function nestHeadings(text: HTMLElement, below: number): void {
  const headings = [...text.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const levelOf = ({ tagName }: Element) => Number(tagName.slice(1))
  const highest = Math.min(...headings.map(levelOf))
  for (const heading of headings) {
    heading.setAttribute('aria-level', String(Math.min(6, levelOf(heading) - highest + below + 1)))
  }
}

/** What is wider than the page scrolls in its own box, which the keyboard must reach. */
function letScroll(box: HTMLElement, label: string): void {
  box.tabIndex = 0
  box.setAttribute('role', 'group')
  box.setAttribute('aria-label', label)
}

function wrapped(element: HTMLElement): HTMLElement {
  const box = document.createElement('div')
  element.replaceWith(box)
  box.append(element)
  return box
}
