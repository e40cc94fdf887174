import { useEffect, useState } from 'preact/hooks'

import { startWorker } from '../kit/trusted.js'
import type { HighlightAnswer, HighlightRequest } from './highlight-worker.js'
import workerAddress from './highlight-worker.ts?worker&url'
import type { CodePiece } from './highlight.js'
import { languageOf } from './highlight.js'

/** Texts that are larger stay without colors, in characters. */
const MOST_CHARACTERS = 2 * 1024 * 1024

let worker: Worker | undefined
let lastId = 0

/** The colored lines of a text. Undefined until a worker has found them, and for texts without a known language. */
export function useHighlight(path: string, text: string | undefined): readonly CodePiece[][] | undefined {
  const [result, setResult] = useState<{ text: string; lines: CodePiece[][] }>()
  const language = languageOf(path)
  useEffect(() => {
    if (text === undefined || language === undefined || text.length > MOST_CHARACTERS) return undefined
    worker ??= startWorker(new URL(workerAddress, location.href))
    const highlighting = worker
    const id = ++lastId
    const onMessage = ({ data }: MessageEvent<HighlightAnswer>) => {
      if (data.id === id) setResult({ text, lines: data.lines })
    }
    highlighting.addEventListener('message', onMessage)
    highlighting.postMessage({ id, language, text } satisfies HighlightRequest)
    return () => highlighting.removeEventListener('message', onMessage)
  }, [language, text])
  return result?.text === text ? result?.lines : undefined
}
