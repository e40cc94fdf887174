import { startWorker } from '../kit/trusted.js'
import type { HighlightRequest, HighlightResponse } from './highlight-worker.js'
import workerAddress from './highlight-worker.ts?worker&url'
import type { CodePiece } from './highlight.js'

/** Texts that are larger stay without colors, in characters. */
const MAX_CHARACTERS = 2 * 1024 * 1024

let worker: Worker | undefined
let lastId = 0

/**
 * Finds the colors of the lines of a text in a worker.
 * @param language as `languageOf` names it
 * @returns undefined for a text that is too large, and after `signal`
 */
export function highlightText(
  language: string,
  text: string,
  signal: AbortSignal,
): Promise<CodePiece[][] | undefined> {
  if (text.length > MAX_CHARACTERS) return Promise.resolve(undefined)
  worker ??= startWorker(new URL(workerAddress, location.href))
  const highlighting = worker
  const id = ++lastId
  return new Promise((resolve) => {
    const end = (lines: CodePiece[][] | undefined) => {
      highlighting.removeEventListener('message', onMessage)
      resolve(lines)
    }
    const onMessage = ({ data }: MessageEvent<HighlightResponse>) => {
      if (data.id === id) end(data.lines)
    }
    highlighting.addEventListener('message', onMessage)
    signal.addEventListener('abort', () => end(undefined), { once: true })
    highlighting.postMessage({ id, language, text } satisfies HighlightRequest)
  })
}
