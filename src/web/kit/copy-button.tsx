import { Check, Copy } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { IconButton } from './button.js'

/** Copies a text; a check mark confirms it for two seconds. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copiedAt, setCopiedAt] = useState<number>()
  useEffect(() => {
    if (copiedAt === undefined) return undefined
    const timer = setTimeout(() => setCopiedAt(undefined), 2000)
    return () => clearTimeout(timer)
  }, [copiedAt])
  return (
    <IconButton
      size="small"
      icon={copiedAt === undefined ? Copy : Check}
      label={copiedAt === undefined ? label : 'Copied'}
      onClick={() => void copyText(text).then(() => setCopiedAt(Date.now()))}
    />
  )
}

/** Copies by the clipboard API, or by a selection where a page over plain HTTP has no such API. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  // The only way to copy without a secure context.
  // oxlint-disable-next-line typescript/no-deprecated
  document.execCommand('copy')
  area.remove()
}
