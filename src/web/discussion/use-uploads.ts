import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'

import { projectApi } from '../../addresses/first-reads.js'
import { RequestError } from '../api/client.js'
import { upload } from '../api/upload.js'
import { notifyError } from '../frame/notices.js'

/** Where files are sent. */
export interface UploadTarget {
  /** Path of the operation in the API. */
  path: string
  /** The Markdown of its response that shows the file. */
  markdownIn: (response: unknown) => string
}

/** Keeps files with a project. */
export function projectUploads(project: string): UploadTarget {
  return {
    path: `${projectApi(project)}/uploads`,
    markdownIn: (response) => (response as { markdown: string }).markdown,
  }
}

interface Uploads {
  /** Number of files that are being sent. */
  count: number
  /** Sends files, and puts what shows them where the cursor is. Without a target, it does nothing. */
  add: (files: Iterable<File>) => void
}

/**
 * Files that are sent while the reader goes on typing. A mark in the text is replaced with the link to the file when it is
 * there, and deleted if it was refused.
 * @param onInput called with the whole text
 */
export function useUploads(
  area: RefObject<HTMLTextAreaElement | null>,
  target: UploadTarget | undefined,
  value: string,
  onInput: (text: string) => void,
): Uploads {
  const [count, setCount] = useState(0)
  const number = useRef(0)
  const latest = useRef({ value, onInput })
  latest.current = { value, onInput }
  const replace = (mark: string, text: string) => {
    const field = area.current
    const at = field?.value.indexOf(mark) ?? -1
    if (field && at !== -1) field.setRangeText(text, at, at + mark.length, 'preserve')
    // While the preview is shown, there is no field.
    latest.current.onInput(field ? field.value : latest.current.value.replace(mark, () => text))
  }
  const send = async (file: File) => {
    const field = area.current
    if (!field || !target) return
    const mark = `[Uploading ${file.name.replace(/[[\]]/g, '')} (${++number.current})…]()`
    field.setRangeText(`${mark}\n`, field.selectionStart, field.selectionEnd, 'end')
    latest.current.onInput(field.value)
    setCount((known) => known + 1)
    const form = new FormData()
    form.append('file', file)
    try {
      const sent = await upload(target.path, form, () => undefined, new AbortController().signal)
      replace(mark, target.markdownIn(sent))
    } catch (error) {
      replace(`${mark}\n`, '')
      if (!(error instanceof RequestError)) throw error
      notifyError(error)
    } finally {
      setCount((known) => known - 1)
    }
  }
  return {
    count,
    add: (files) => {
      for (const file of files) void send(file)
    },
  }
}
