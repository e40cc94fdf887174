/** The present address with another tab, and with the included file that it shows. */
export function tabHref(search: URLSearchParams, tab: string, file?: string, line?: number | null): string {
  const params = new URLSearchParams(search)
  if (tab === '') params.delete('tab')
  else params.set('tab', tab)
  if (file === undefined) params.delete('file')
  else params.set('file', file)
  const query = params.size > 0 ? `?${params.toString()}` : ''
  return location.pathname + query + (line ? `#L${line}` : '')
}
