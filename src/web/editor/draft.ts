import { useEffect } from 'preact/hooks'

const PREFIX = 'switchyard-draft:'

/** The text that the reader has typed and not saved, from this tab. */
export function readDraft(key: string): string | undefined {
  return sessionStorage.getItem(PREFIX + key) ?? undefined
}

export function deleteDraft(key: string): void {
  sessionStorage.removeItem(PREFIX + key)
}

/** Keeps a text of this tab until it is saved, so that another page or a reload loses nothing. */
export function useDraft(key: string, text: string, isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) {
      deleteDraft(key)
      return
    }
    try {
      sessionStorage.setItem(PREFIX + key, text)
    } catch (error) {
      // The storage is full: the text is only in the editor.
      if (!(error instanceof DOMException)) throw error
    }
  }, [key, text, isChanged])
}
