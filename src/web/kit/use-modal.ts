import { useEffect, useRef } from 'preact/hooks'

/** A modal dialog, open while it is rendered. The focus returns to where it was. */
export function useModal({ preventScroll = false }: FocusOptions = {}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus({ preventScroll })
    }
  }, [preventScroll])
  return dialog
}
