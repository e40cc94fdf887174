import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { hiddenIn, hiddenParts, type HiddenSummary } from './hidden-characters.js'
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
          <span
            key={index}
            class={styles[part.kind]}
            role="img"
            aria-label={`${part.code} ${part.name}`}
            title={`${part.code} ${part.name}`}
            data-code={part.code}
          >
            {part.text}
          </span>
        ),
      )}
    </>
  )
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
