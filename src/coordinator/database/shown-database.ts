import type { DatabaseSettings } from './connect.js'

/** Without the password. */
export function shownDatabase(settings: DatabaseSettings): string {
  if (settings.dialect === 'sqlite') return settings.file
  const url = new URL(settings.url)
  const name = url.username === '' ? '' : `${url.username}@`
  return `${url.protocol}//${name}${url.host}${url.pathname}`
}
