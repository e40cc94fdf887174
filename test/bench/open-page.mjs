import { ADMIN_TOKEN } from './tokens.mjs'

/**
 * Follows a pipeline as a page does that shows it: receives each change of it.
 * @param {string} url
 * @param {number} pipeline
 * @returns {Promise<() => void>} closes the page
 */
export async function openPage(url, pipeline) {
  const closing = new AbortController()
  const response = await fetch(`${url}/api/v4/live?topics=pipeline/${pipeline}`, {
    headers: { 'private-token': ADMIN_TOKEN },
    signal: closing.signal,
  })
  if (!response.ok || !response.body) throw new Error(`The stream got ${response.status}`)
  response.body.pipeTo(new WritableStream()).catch((/** @type {unknown} */ error) => {
    if (!closing.signal.aborted) throw error
  })
  return () => closing.abort()
}
