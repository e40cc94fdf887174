import { useEffect } from 'preact/hooks'

const MARKS: Record<string, string> = {
  success: '✓',
  failed: '✗',
  running: '●',
  pending: '◷',
  canceled: '⊘',
  skipped: '»',
  manual: '▶',
}

/**
 * Sets the title of the document and the icon of its tab.
 * @param status of what the page is about; its mark begins the title
 */
export function useTitle(title: string, status?: string): void {
  useEffect(() => {
    const mark = status === undefined ? '' : `${MARKS[status] ?? '○'} `
    document.title = `${mark}${title} · Switchyard`
    setIcon(status)
  }, [title, status])
}

const SHAPES: Record<string, { color: string; path: string }> = {
  success: { color: '#1a8a4a', path: 'm9.5 16.5 4.5 4.5 8.5-9.5' },
  failed: { color: '#d1372b', path: 'm11 11 10 10m0-10L11 21' },
  running: { color: '#2f76d8', path: 'M16 9v7l5 3' },
  pending: { color: '#c27a12', path: 'M16 9v7h5' },
  canceled: { color: '#6b7686', path: 'm10 22 12-12' },
  skipped: { color: '#6b7686', path: 'm10 10 6 6-6 6m6-12 6 6-6 6' },
}

function setIcon(status: string | undefined): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  link.dataset['plain'] ??= link.href
  const shape = status === undefined ? undefined : (SHAPES[status] ?? SHAPES['pending'])
  if (!shape) {
    link.href = link.dataset['plain']
    return
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="${shape.color}"/><path d="${shape.path}" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`
}
