import { useLayoutEffect, useRef } from 'preact/hooks'

import { setTrustedHtml } from '../kit/trusted.js'
import styles from './rendered.module.css'

/** A text that the server has rendered as safe HTML: Markdown, or plain text as it is. */
export function Rendered({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    setTrustedHtml(element, html)
    for (const pre of element.querySelectorAll('pre')) letScroll(pre, 'Code')
    for (const table of element.querySelectorAll('table')) letScroll(wrapped(table), 'Table')
  }, [html])
  return <div ref={box} class={styles['rendered']} />
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
