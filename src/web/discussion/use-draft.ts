import { useEffect, useRef, useState } from 'preact/hooks'

import { deleteOldTexts, parseStoredText, readStoredText, storageKey, storeText } from './stored-texts.js'

deleteOldTexts()

interface Draft {
  text: string
  setText: (text: string) => void
  /** Whether it differs from the text that it began with. */
  isChanged: boolean
  /** Deletes the draft, after it was sent or given up. */
  discard: () => void
}

/**
 * A text that this browser keeps until it is sent: over a reload, the end of the session, and in another tab. A tab whose
 * text is the kept one follows what another tab types or sends; one with a text of its own keeps that.
 * @param key what the text is for at this address, such as `comment`
 * @param initial the text before anything was typed
 */
export function useDraft(key: string, initial = ''): Draft {
  const address = `${location.pathname}#${key}`
  const [text, setState] = useState(() => readStoredText(address) ?? initial)
  const current = useRef({ text, initial })
  current.current = { text, initial }
  const set = (next: string) => {
    current.current.text = next
    setState(next)
  }
  useEffect(() => {
    const onStorage = ({ key: changed, oldValue, newValue }: StorageEvent) => {
      if (changed !== storageKey(address)) return
      const before = parseStoredText(oldValue) ?? current.current.initial
      if (current.current.text === before) set(parseStoredText(newValue) ?? current.current.initial)
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [address])
  return {
    text,
    setText: (next) => {
      set(next)
      storeText(address, next === initial ? undefined : next)
    },
    isChanged: text !== initial,
    discard: () => {
      set(initial)
      storeText(address, undefined)
    },
  }
}
