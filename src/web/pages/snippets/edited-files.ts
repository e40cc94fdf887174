/** A file in the form of a snippet. */
export interface EditedFile {
  /** Number within the form, which stays when the file gets another name. */
  key: number
  path: string
  content: string
  /** The path that the snippet has now; undefined for a new file. */
  before?: string
}

interface SavedFile {
  path: string
  content: string
}

interface FileChange {
  action: 'create' | 'update' | 'delete' | 'move'
  file_path: string
  previous_path?: string
  content?: string
}

/**
 * The files of a form whose snippet has other files by now: each changes the one that has its former or its present path.
 */
export function onto(saved: readonly SavedFile[], edited: readonly EditedFile[]): EditedFile[] {
  const paths = new Set(saved.map(({ path }) => path))
  const kept = new Set(
    edited.flatMap(({ before }) => (before !== undefined && paths.has(before) ? before : [])),
  )
  return edited.map(({ before, ...file }) => {
    if (before !== undefined && paths.has(before)) return { ...file, before }
    return paths.has(file.path) && !kept.has(file.path) ? { ...file, before: file.path } : file
  })
}

/** Changes that make the files of a snippet those of the form. Deletions come first, so that their paths can be used again. */
export function fileChanges(saved: readonly SavedFile[], edited: readonly EditedFile[]): FileChange[] {
  const kept = new Set(edited.map(({ before }) => before))
  const contents = new Map(saved.map(({ path, content }) => [path, content]))
  const deleted = saved
    .filter(({ path }) => !kept.has(path))
    .map(({ path }): FileChange => ({ action: 'delete', file_path: path }))
  const changed = edited.flatMap(({ path, content, before }): FileChange[] => {
    if (before === undefined) return [{ action: 'create', file_path: path, content }]
    const isSame = contents.get(before) === content
    if (path !== before) {
      return [{ action: 'move', file_path: path, previous_path: before, ...(!isSame && { content }) }]
    }
    return isSame ? [] : [{ action: 'update', file_path: path, content }]
  })
  return [...deleted, ...changed]
}

/** What is wrong with the files of the form; undefined if nothing is. */
export function problemOfFiles(files: readonly EditedFile[]): string | undefined {
  const paths = files.map(({ path }) => path.trim())
  if (paths.some((path) => path === '')) return 'Each file needs a name.'
  const twice = paths.find((path, index) => paths.indexOf(path) !== index)
  if (twice !== undefined) return `Two files have the name ${twice}.`
  const empty = files.find(({ content }) => content === '')
  return empty && `The file ${empty.path} is empty.`
}

/** The name of a further file: the first of `file2.txt`, `file3.txt` and so on that is free. */
export function nextName(files: readonly EditedFile[]): string {
  const taken = new Set(files.map(({ path }) => path))
  let number = files.length + 1
  while (taken.has(`file${number}.txt`)) number += 1
  return `file${number}.txt`
}
