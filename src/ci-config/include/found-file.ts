import type { RepositoryFile } from '../sources.js'
import type { FileContext } from './file-context.js'

/** The text of an included file, and the context of its own includes. */
export interface FoundFile {
  /** Its name in problems. */
  file: string
  text: string
  context: FileContext
  /** Absent = it is of no repository. */
  place?: RepositoryFile
  /** Facts that the file may name in `$[[ component.… ]]`. */
  component?: ReadonlyMap<string, string>
}
