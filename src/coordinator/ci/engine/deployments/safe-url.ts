const LONGEST = 255
/** Addresses of these kinds would run in the page that shows them. */
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

/** Whether an environment may have this address. */
export function isSafeUrl(text: string): boolean {
  if (text.length > LONGEST || !URL.canParse(text)) return false
  return !HARMFUL.has(new URL(text).protocol)
}
