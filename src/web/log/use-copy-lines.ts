import { useAction } from '../api/use-action.js'
import { notify, notifyError } from '../frame/notices.js'
import { copyText } from '../kit/copy-button.js'
import type { LineRange } from '../kit/line-range.js'
import { MAX_COPIED, readPlainLines } from './log-text.js'

/**
 * Copies lines of a log, also those that the page has not read.
 * @param path of the log in the API
 */
export function useCopyLines(path: string): (range: LineRange) => void {
  const copy = useAction(async (range: LineRange) => {
    await copyText(await readPlainLines(path, range))
    notify(range.first === range.last ? 'The line was copied' : 'The lines were copied')
  }, notifyError)
  return (range) => {
    if (range.last - range.first >= MAX_COPIED) notify('This is too long to copy; download it')
    else void copy.run(range)
  }
}
