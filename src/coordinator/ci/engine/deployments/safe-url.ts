const LONGEST = 255
/** URLs with these schemes would execute in the page that shows them. */
const HARMFUL = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
  'view-source:',
])

/** Whether an environment may have this URL. */
export function isSafeUrl(text: string): boolean {
  if (text.length > LONGEST || !URL.canParse(text)) return false
  return !HARMFUL.has(new URL(text).protocol)
}
