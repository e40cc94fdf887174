/** Files that the browser shows by itself, other than text. */
export type ShownKind = 'image' | 'video' | 'audio' | 'pdf'

/** How a file is shown in place, by its content type; undefined for texts and what has to be downloaded. */
export function shownKindOf(contentType: string): ShownKind | undefined {
  if (contentType.startsWith('application/pdf')) return 'pdf'
  const [kind] = contentType.split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : undefined
}
