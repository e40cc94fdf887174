import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { type HiddenCharacter, hiddenIn, hiddenParts, type HiddenSummary } from './hidden-characters.js'
import styles from './marks.module.css'

export { hiddenIn }

/**
 * A text whose invisible characters are marked. Each stays in the page, so that a copy has it, and is kept apart from the
 * text around it, so that it turns nothing.
 */
export function Marks({ text }: { text: string }) {
  const parts = hiddenParts(text) ?? [text]
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <span key={index} {...markAttributes(part)}>
            {part.text}
          </span>
        ),
      )}
    </>
  )
}

/** Marks the invisible characters of text that is in the page already, such as rendered Markdown. */
export function markTexts(element: Element): void {
  const texts: Text[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
  for (const text of texts) {
    const parts = text.parentElement?.hasAttribute('data-code') ? undefined : hiddenParts(text.data)
    if (parts) text.replaceWith(...parts.map((part) => (typeof part === 'string' ? part : markOf(part))))
  }
}

function markOf(character: HiddenCharacter): HTMLElement {
  const mark = document.createElement('span')
  for (const [name, value] of Object.entries(markAttributes(character))) mark.setAttribute(name, value)
  mark.textContent = character.text
  return mark
}

function markAttributes({ kind, code, name }: HiddenCharacter) {
  const label = `${code} ${name}`
  return {
    class: styles[kind] ?? '',
    role: 'img' as const,
    'aria-label': label,
    title: label,
    'data-code': code,
  }
}

interface WarningProps {
  /** What is shown, such as `This file`. */
  of: string
  hidden: HiddenSummary
  /** Leads to the first line with such a character. */
  onShow?: (() => void) | undefined
}

/** Warns of the invisible characters of the text below it. */
export function Warning({ of, hidden: { count, turns }, onShow }: WarningProps) {
  const characters =
    count === 1 ? 'an invisible character' : `${count === undefined ? '' : `${count} `}invisible characters`
  return (
    <Alert
      tone="warning"
      title={`${of} has ${characters}.`}
      actions={
        onShow && (
          <Button size="small" onClick={onShow}>
            Show the first one
          </Button>
        )
      }
    >
      {turns
        ? 'Some change the direction of text: without their marks, code can look different from what it does.'
        : 'They can hide text, or make different names look the same.'}{' '}
      Each is marked with its code.
    </Alert>
  )
}
